// Programs include it to ask for a version of Windows, which is none here.
#ifndef RESIDUE_COMPAT_WINSDKVER_H_
#define RESIDUE_COMPAT_WINSDKVER_H_

#endif  // RESIDUE_COMPAT_WINSDKVER_H_
