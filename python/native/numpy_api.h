// NumPy's C interface, shared by the files of the module: module.cc loads it, the others use it.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <pyconfig.h>
// One module for every Python from 3.10 on. Pythons without the GIL have no limited interface.
#ifndef Py_GIL_DISABLED
#define Py_LIMITED_API 0x030A0000
#endif
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL residue_array_api
#define PY_UFUNC_UNIQUE_SYMBOL residue_ufunc_api
#ifndef RESIDUE_LOADS_NUMPY
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>
