// Coefficients of polynomials, from the constant on. Made by tools/functions/fits.sollya: do not edit.
#pragma once

namespace residue {

// (2^x - 1) / x for |x| <= 1/2; relative error below 2^-49.
inline constexpr double kExpm1Fit[] = {
    0x1.62e42fefa39f7p-1,  0x1.ebfbdff82c542p-3, 0x1.c6b08d7044129p-5,  0x1.3b2ab6fbb3e4fp-7,
    0x1.5d87fe9083a9ep-10, 0x1.430912c873c9p-13, 0x1.ffcb76ab7f8dfp-17, 0x1.62c081eb074b1p-20,
    0x1.b656e3cc527a8p-24, 0x1.e4d1ace294f6p-28,
};

// the same for |x| <= 1/32; relative error below 2^-50.
inline constexpr double kShortExpm1Fit[] = {
    0x1.62e42fefa39f3p-1, 0x1.ebfbdff82c57bp-3,  0x1.c6b08d6f2d7ap-5,
    0x1.3b2ab6fc92f59p-7, 0x1.5d897cfea79e4p-10, 0x1.43090e628a733p-13,
};

// 2 atanh(x) / x in powers of x^2, up to (sqrt 2 - 1) / (sqrt 2 + 1); relative error below 2^-52.
inline constexpr double kLogFit[] = {
    0x1.0000000000001p1,  0x1.55555555529aap-1, 0x1.999999a4b735p-2,  0x1.2492407ac1851p-2,
    0x1.c722e92f11065p-3, 0x1.7320091cf542fp-3, 0x1.58f70c062aceap-3,
};

// the same up to 1/3; relative error below 2^-49.
inline constexpr double kLog1pFit[] = {
    0x1.0000000000008p1,  0x1.555555554a482p-1, 0x1.999999ae0bd7dp-2,
    0x1.249241db1f96dp-2, 0x1.c71f0a7028d5cp-3, 0x1.741adfd900399p-3,
    0x1.3eeb679a1c81p-3,  0x1.e0ba43ff29cbap-4, 0x1.808d872bdf178p-3,
};

// (log(1 + x) - x) / x^2 for |x| <= 1/32; relative error below 2^-43.
inline constexpr double kShortLog1pFit[] = {
    -0x1.ffffffffffff9p-2, 0x1.5555555587482p-2, -0x1.000000004b9a1p-2, 0x1.99998d1f6e2ffp-3,
    -0x1.55554790ac089p-3, 0x1.24f601b641f0fp-3, -0x1.00607fe31ba21p-3,
};

// sin(x) / x in powers of x^2, for |x| <= pi/2; relative error below 2^-52.
inline constexpr double kSinFit[] = {
    0x1.fffffffffffffp-1,  -0x1.5555555555469p-3,  0x1.1111111109417p-7,  -0x1.a01a0199e0824p-13,
    0x1.71de37e6012e2p-19, -0x1.ae634d138763fp-26, 0x1.60e59840a9852p-33, -0x1.9ef57d52d6012p-41,
};

// the same for |x| <= pi/4; relative error below 2^-47.
inline constexpr double kShortSinFit[] = {
    0x1.fffffffffffd7p-1,  -0x1.5555555550c4p-3,  0x1.1111110bbbccfp-7,
    -0x1.a019f87b502dp-13, 0x1.71d71fafd7d19p-19, -0x1.a94ac18eae837p-26,
};

// cos(x) in powers of x^2, for |x| <= pi/4; relative error below 2^-53.
inline constexpr double kShortCosFit[] = {
    0x1.fffffffffffffp-1,  -0x1.fffffffffff3cp-2,  0x1.555555554cc94p-5,  -0x1.6c16c1627fa75p-10,
    0x1.a019f71590c94p-16, -0x1.27def1bee6e07p-22, 0x1.1b76cbaccc96ep-29,
};

// atan(x) / x in powers of x^2, for |x| <= 1; relative error below 2^-47.
inline constexpr double kAtanFit[] = {
    0x1.fffffffffffc8p-1,  -0x1.5555555544f5ep-2, 0x1.9999998ce7b01p-3, -0x1.249247305c7b9p-3,
    0x1.c71c205c08683p-4,  -0x1.74590ba75ad97p-4, 0x1.3af179aa51884p-4, -0x1.1045933c187bp-4,
    0x1.daf8eab74da6dp-5,  -0x1.989308df0be72p-5, 0x1.4d5794d9f3fdep-5, -0x1.e898d9a3d434bp-6,
    0x1.2ddeb195c2a57p-6,  -0x1.2530081d91649p-7, 0x1.9b2a28b23047ep-9, -0x1.6d5e31612695ap-11,
    0x1.326999e835625p-14,
};

// asin(x) / x in powers of x^2, for |x| <= 1/2; relative error below 2^-48.
inline constexpr double kAsinFit[] = {
    0x1.000000000001p0,   0x1.5555555537c71p-3,  0x1.3333335769342p-4, 0x1.6db6ca26869fp-5,
    0x1.f1cb538d38338p-6, 0x1.6e3f37421a5bbp-6,  0x1.1fa801cc60c87p-6, 0x1.99f06002ce0d3p-7,
    0x1.27e84d0d0a9a7p-6, -0x1.efe1796e4dc34p-8, 0x1.03bef816f092bp-5,
};

// erf(t) / t in powers of t^2 - 7.75, for |t| <= 3.93; relative error below 2^-50.
inline constexpr double kErfFit[] = {
    0x1.6fcd22af732c3p-2,  -0x1.7b26f08c9b315p-6,   0x1.237b691529f72p-9,  -0x1.ea83a9277372dp-13,
    0x1.a51fecdf975e4p-16, -0x1.642a6adc2c604p-19,  0x1.2240dad2596f7p-22, -0x1.c18ac0644cee8p-26,
    0x1.4826fc1952406p-29, -0x1.c1d079b8e0f7p-33,   0x1.2116d236bcc7cp-36, -0x1.5c95154d04d52p-40,
    0x1.8ad885af56bd8p-44, -0x1.a4f248cd42d89p-48,  0x1.a749437e12e1bp-52, -0x1.9277d459d133fp-56,
    0x1.6ad78e059472p-60,  -0x1.363f402e7d8e2p-64,  0x1.f639960d354b6p-69, -0x1.87ab72c2cb8a6p-73,
    0x1.2ec365557d424p-77, -0x1.a4c1e64f3183dp-82,  0x1.bea19ade80141p-87, -0x1.41399b2fea843p-91,
    0x1.8863d8fbfac21p-95, -0x1.b290431e0ba02p-100,
};

// e^(t^2 / 2) (1 - Phi(t)) in powers of (t - 4) / (t + 4), for 0 <= t <= 14.5; relative error below 2^-50.
inline constexpr double kTailFit[] = {
    0x1.82b4bb8c94dcdp-4,   -0x1.5cf97b0ae8863p-3,  0x1.fd751a1fba577p-4,   -0x1.25b6aa96552fdp-4,
    0x1.f9b05f0ee2acp-6,    -0x1.1644dc3276862p-7,  0x1.0a1bd455c453dp-11,  0x1.4eec27c0259adp-11,
    -0x1.888dd03d717b2p-13, -0x1.7e25edf62ba22p-15, 0x1.e0a381398a3d2p-16,  0x1.370d0a0e3e9b4p-18,
    -0x1.20abd033bbf13p-18, -0x1.c2465b91fdd44p-21, 0x1.5da1749f678aep-21,  0x1.d269fe2876e6ep-23,
    -0x1.35f073db22dd5p-24, -0x1.ba5897c6785afp-25, -0x1.202c4ce790b2dp-27,
};

// (2 atanh(x) / x - 2) / (x^2 log 2) in powers of x^2, up to (sqrt 2 - 1) / (sqrt 2 + 1); relative error
// below 2^-50.
inline constexpr double kPowFit[] = {
    0x1.ec709dc3a0401p-1, 0x1.2776c50ef6a34p-1, 0x1.a61762b50f13p-2,  0x1.484b0929b8c39p-2,
    0x1.0c9e8ed40a39cp-2, 0x1.c4ffb8a8e58f2p-3, 0x1.afd9180c7477cp-3,
};

// pi: two parts of 33 digits, and the rest.
inline constexpr double kPiParts[] = {
    0x1.921fb544p1,
    0x1.0b4611a6p-33,
    0x1.3198a2e037073p-68,
};

// 2^(j / 16) for j = 0, 1, ..., 15.
inline constexpr double kSixteenths[] = {
    0x1p0,
    0x1.0b5586cf9890fp0,
    0x1.172b83c7d517bp0,
    0x1.2387a6e756238p0,
    0x1.306fe0a31b715p0,
    0x1.3dea64c123422p0,
    0x1.4bfdad5362a27p0,
    0x1.5ab07dd485429p0,
    0x1.6a09e667f3bcdp0,
    0x1.7a11473eb0187p0,
    0x1.8ace5422aa0dbp0,
    0x1.9c49182a3f09p0,
    0x1.ae89f995ad3adp0,
    0x1.c199bdd85529cp0,
    0x1.d5818dcfba487p0,
    0x1.ea4afa2a490dap0,
};

// r = 1 / (1 + j / 16), rounded to 10 digits, for j = 0, 1, ..., 15; then -log(r).
inline constexpr double kInverses[] = {
    0x1p0,      0x1.e2p-1,  0x1.c7p-1, 0x1.afp-1,  0x1.998p-1, 0x1.86p-1,  0x1.748p-1, 0x1.64p-1,
    0x1.558p-1, 0x1.478p-1, 0x1.3bp-1, 0x1.2f8p-1, 0x1.248p-1, 0x1.1a8p-1, 0x1.11p-1,  0x1.088p-1,
};
inline constexpr double kInverseLogs[] = {
    0,
    0x1.eea31c006b87cp-5,
    0x1.e3707ee30487bp-4,
    0x1.60b3100b09476p-3,
    0x1.c97f8079d44ecp-3,
    0x1.16b5ccbacfb73p-2,
    0x1.45b8c0a17df13p-2,
    0x1.741d876c67bb1p-2,
    0x1.9eb246cb4eea1p-2,
    0x1.c98f869a9cbbcp-2,
    0x1.f168f7fb05c52p-2,
    0x1.0bbf2fd23dd41p-1,
    0x1.1ea5f6e70eb83p-1,
    0x1.30757344f0e13p-1,
    0x1.41f8ff8471d61p-1,
    0x1.522ae0738a3d8p-1,
};

// 2 / log 2: a part of 25 digits, and the rest.
inline constexpr double kTwoByLog2Parts[] = {
    0x1.715476p1,
    0x1.4ae0bf85ddf44p-25,
};

// For e = 20, 21, ...: 2^(e - 23) / pi modulo 2, in multiples of 2^-28, then of 2^-57, and the rest.
inline constexpr double kTurns[] = {
    0x1.45f306p-5,         0x1.b939104p-30,       0x1.4a7f09d5f47d5p-58, 0x1.45f306p-4,
    0x1.b939105p-29,       0x1.29fc2757d1f53p-59, 0x1.45f3068p-3,        0x1.727220ap-29,
    0x1.29fc2757d1f53p-58, 0x1.45f306cp-2,        0x1.c9c882ap-30,       0x1.4fe13abe8fa9ap-60,
    0x1.45f306cp-1,        0x1.c9c882ap-29,       0x1.4fe13abe8fa9ap-59, 0x1.45f306dp0,
    0x1.9391054p-29,       0x1.4fe13abe8fa9ap-58, 0x1.17cc1b6p-1,        0x1.27220a9p-29,
    0x1.3f84eafa3ea6ap-59, 0x1.17cc1b7p0,         0x1.3910548p-31,       0x1.3f84eafa3ea6ap-58,
    0x1.7cc1b7p-3,         0x1.391054ap-30,       0x1.fc2757d1f534ep-60, 0x1.7cc1b7p-2,
    0x1.391054ap-29,       0x1.fc2757d1f534ep-59, 0x1.7cc1b72p-1,        0x1.c882a5p-31,
    0x1.fc2757d1f534ep-58, 0x1.7cc1b72p0,         0x1.c882a52p-30,       0x1.f84eafa3ea69cp-58,
    0x1.f306dc8p-1,        0x1.c882a53p-29,       0x1.f09d5f47d4d37p-58, 0x1.f306dc9p0,
    0x1.91054a7p-29,       0x1.e13abe8fa9a6fp-58, 0x1.e60db93p0,         0x1.220a94fp-29,
    0x1.c2757d1f534dep-58, 0x1.cc1b727p0,         0x1.1054a7cp-31,       0x1.84eafa3ea69bcp-58,
    0x1.9836e4ep0,         0x1.1054a7ep-30,       0x1.09d5f47d4d377p-58, 0x1.306dc9cp0,
    0x1.1054a7fp-29,       0x1.3abe8fa9a6eep-62,  0x1.836e4e4p-2,        0x1.054a7fp-32,
    0x1.3abe8fa9a6eep-61,  0x1.836e4e4p-1,        0x1.054a7fp-31,        0x1.3abe8fa9a6eep-60,
    0x1.836e4e4p0,         0x1.054a7fp-30,        0x1.3abe8fa9a6eep-59,  0x1.06dc9c8p0,
    0x1.054a7fp-29,        0x1.3abe8fa9a6eep-58,  0x1.b72722p-5,         0x1.529fc2p-34,
    0x1.d5f47d4d37703p-60, 0x1.b72722p-4,         0x1.529fc2p-33,        0x1.d5f47d4d37703p-59,
    0x1.b72722p-3,         0x1.529fc2p-32,        0x1.d5f47d4d37703p-58, 0x1.b72722p-2,
    0x1.529fc24p-31,       0x1.abe8fa9a6ee07p-58, 0x1.b72722p-1,         0x1.529fc26p-30,
    0x1.57d1f534ddc0ep-58, 0x1.b72722p0,          0x1.529fc27p-29,       0x1.5f47d4d377037p-59,
    0x1.6e4e441p0,         0x1.4a7f09cp-30,       0x1.5f47d4d377037p-58, 0x1.b939104p-1,
    0x1.4a7f09dp-29,       0x1.7d1f534ddc0dbp-59, 0x1.b939105p0,         0x1.29fc274p-30,
    0x1.7d1f534ddc0dbp-58, 0x1.727220ap0,         0x1.29fc275p-29,       0x1.f47d4d377036ep-59,
    0x1.c9c882ap-1,        0x1.4fe13a8p-31,       0x1.f47d4d377036ep-58, 0x1.c9c882ap0,
    0x1.4fe13aap-30,       0x1.e8fa9a6ee06dbp-58, 0x1.9391054p0,         0x1.4fe13abp-29,
    0x1.d1f534ddc0db6p-58, 0x1.27220a9p0,         0x1.3f84eaep-30,       0x1.a3ea69bb81b6cp-58,
    0x1.3910548p-2,        0x1.3f84eafp-29,       0x1.47d4d377036d9p-58, 0x1.391054ap-1,
    0x1.fc2757cp-31,       0x1.1f534ddc0db63p-59, 0x1.391054ap0,         0x1.fc2757cp-30,
    0x1.1f534ddc0db63p-58, 0x1.c882a5p-2,         0x1.fc2757dp-29,       0x1.f534ddc0db629p-61,
    0x1.c882a52p-1,        0x1.f84eafap-29,       0x1.f534ddc0db629p-60, 0x1.c882a53p0,
    0x1.f09d5f4p-29,       0x1.f534ddc0db629p-59, 0x1.91054a7p0,         0x1.e13abe8p-29,
    0x1.f534ddc0db629p-58, 0x1.220a94fp0,         0x1.c2757d1p-29,       0x1.ea69bb81b6c53p-58,
    0x1.1054a7cp-2,        0x1.84eafa3p-29,       0x1.d4d377036d8a5p-58, 0x1.1054a7ep-1,
    0x1.09d5f47p-29,       0x1.a9a6ee06db14bp-58, 0x1.1054a7fp0,         0x1.3abe8fp-33,
    0x1.534ddc0db6296p-58, 0x1.054a7fp-3,         0x1.3abe8f8p-32,       0x1.4d377036d8a56p-59,
    0x1.054a7fp-2,         0x1.3abe8f8p-31,       0x1.4d377036d8a56p-58, 0x1.054a7fp-1,
    0x1.3abe8fap-30,       0x1.34ddc0db6295ap-59, 0x1.054a7fp0,          0x1.3abe8fap-29,
    0x1.34ddc0db6295ap-58, 0x1.529fc2p-5,         0x1.d5f47d4p-31,       0x1.a6ee06db14acdp-60,
    0x1.529fc2p-4,         0x1.d5f47d4p-30,       0x1.a6ee06db14acdp-59, 0x1.529fc2p-3,
    0x1.d5f47d4p-29,       0x1.a6ee06db14acdp-58, 0x1.529fc24p-2,        0x1.abe8fa9p-29,
    0x1.4ddc0db629599p-58, 0x1.529fc26p-1,        0x1.57d1f53p-29,       0x1.377036d8a5665p-59,
    0x1.529fc27p0,         0x1.5f47d4cp-30,       0x1.377036d8a5665p-58, 0x1.4a7f09cp-1,
    0x1.5f47d4dp-29,       0x1.bb81b6c52b328p-60, 0x1.4a7f09dp0,         0x1.7d1f534p-30,
    0x1.bb81b6c52b328p-59, 0x1.29fc274p-1,        0x1.7d1f534p-29,       0x1.bb81b6c52b328p-58,
    0x1.29fc275p0,         0x1.f47d4d2p-30,       0x1.77036d8a5664fp-58, 0x1.4fe13a8p-2,
    0x1.f47d4d3p-29,       0x1.dc0db6295993cp-59, 0x1.4fe13aap-1,        0x1.e8fa9a6p-29,
    0x1.dc0db6295993cp-58, 0x1.4fe13abp0,         0x1.d1f534dp-29,       0x1.b81b6c52b3279p-58,
    0x1.3f84eaep-1,        0x1.a3ea69bp-29,       0x1.7036d8a5664f1p-58, 0x1.3f84eafp0,
    0x1.47d4d37p-29,       0x1.c0db6295993c4p-59, 0x1.fc2757cp-2,        0x1.1f534dcp-30,
    0x1.c0db6295993c4p-58, 0x1.fc2757cp-1,        0x1.1f534ddp-29,       0x1.81b6c52b32788p-58,
    0x1.fc2757dp0,         0x1.f534dd8p-32,       0x1.036d8a5664f11p-58, 0x1.f84eafap0,
    0x1.f534ddcp-31,       0x1.b6c52b3278872p-64, 0x1.f09d5f4p0,         0x1.f534ddcp-30,
    0x1.b6c52b3278872p-63, 0x1.e13abe8p0,         0x1.f534ddcp-29,       0x1.b6c52b3278872p-62,
    0x1.c2757d1p0,         0x1.ea69bb8p-29,       0x1.b6c52b3278872p-61, 0x1.84eafa3p0,
    0x1.d4d377p-29,        0x1.b6c52b3278872p-60, 0x1.09d5f47p0,         0x1.a9a6eep-29,
    0x1.b6c52b3278872p-59, 0x1.3abe8fp-4,         0x1.534ddcp-29,        0x1.b6c52b3278872p-58,
    0x1.3abe8f8p-3,        0x1.4d37702p-30,       0x1.6d8a5664f10e4p-58, 0x1.3abe8f8p-2,
    0x1.4d37703p-29,       0x1.b6295993c439p-59,  0x1.3abe8fap-1,        0x1.34ddc0cp-30,
    0x1.b6295993c439p-58,  0x1.3abe8fap0,         0x1.34ddc0dp-29,       0x1.6c52b32788721p-58,
    0x1.d5f47d4p-2,        0x1.a6ee06cp-31,       0x1.b14acc9e21c82p-59, 0x1.d5f47d4p-1,
    0x1.a6ee06cp-30,       0x1.b14acc9e21c82p-58, 0x1.d5f47d4p0,         0x1.a6ee06dp-29,
    0x1.6295993c43904p-58, 0x1.abe8fa9p0,         0x1.4ddc0dbp-29,       0x1.8a5664f10e41p-59,
    0x1.57d1f53p0,         0x1.377036cp-30,       0x1.8a5664f10e41p-58,  0x1.5f47d4cp-1,
    0x1.377036dp-29,       0x1.14acc9e21c821p-58, 0x1.5f47d4dp0,         0x1.bb81b6cp-31,
    0x1.4acc9e21c821p-61,  0x1.7d1f534p-1,        0x1.bb81b6cp-30,       0x1.4acc9e21c821p-60,
    0x1.7d1f534p0,         0x1.bb81b6cp-29,       0x1.4acc9e21c821p-59,  0x1.f47d4d2p-1,
    0x1.77036d8p-29,       0x1.4acc9e21c821p-58,  0x1.f47d4d3p0,         0x1.dc0db62p-30,
    0x1.2b3278872084p-59,  0x1.e8fa9a6p0,         0x1.dc0db62p-29,       0x1.2b3278872084p-58,
    0x1.d1f534dp0,         0x1.b81b6c5p-29,       0x1.5993c439041fep-60, 0x1.a3ea69bp0,
    0x1.7036d8ap-29,       0x1.5993c439041fep-59, 0x1.47d4d37p0,         0x1.c0db628p-30,
    0x1.5993c439041fep-58, 0x1.1f534dcp-1,        0x1.c0db629p-29,       0x1.664f10e4107f9p-59,
    0x1.1f534ddp0,         0x1.81b6c52p-29,       0x1.664f10e4107f9p-58, 0x1.f534dd8p-3,
    0x1.036d8a5p-29,       0x1.993c439041fe5p-59, 0x1.f534ddcp-2,        0x1.b6c528p-35,
    0x1.993c439041fe5p-58, 0x1.f534ddcp-1,        0x1.b6c52ap-34,        0x1.3278872083fcap-58,
    0x1.f534ddcp0,         0x1.b6c52bp-33,        0x1.93c439041fe51p-60, 0x1.ea69bb8p0,
    0x1.b6c52bp-32,        0x1.93c439041fe51p-59, 0x1.d4d377p0,          0x1.b6c52bp-31,
    0x1.93c439041fe51p-58, 0x1.a9a6eep0,          0x1.b6c52b2p-30,       0x1.278872083fca3p-58,
    0x1.534ddcp0,          0x1.b6c52b3p-29,       0x1.3c439041fe516p-60, 0x1.4d37702p-1,
    0x1.6d8a566p-29,       0x1.3c439041fe516p-59, 0x1.4d37703p0,         0x1.b629598p-30,
    0x1.3c439041fe516p-58, 0x1.34ddc0cp-1,        0x1.b629599p-29,       0x1.e21c820ff28b2p-60,
};

}  // namespace residue
