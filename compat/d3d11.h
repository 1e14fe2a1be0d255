// Programs include it beside Direct3D 12. Nothing of Direct3D 11 is here.
#ifndef RESIDUE_COMPAT_D3D11_H_
#define RESIDUE_COMPAT_D3D11_H_

#endif  // RESIDUE_COMPAT_D3D11_H_
