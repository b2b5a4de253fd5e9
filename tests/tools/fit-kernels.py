#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Prints the polynomials of src/core/kernels-maths.h: minimax fits, rounded to single precision.

Needs numpy (python3-numpy). Nothing is written; a changed fit is copied into the header by hand."""
import math

import numpy


def fit(x, wanted, weight, exponents):
    """Coefficients whose largest weighted error is least (Lawson's iteration of weighted squares)."""
    columns = numpy.stack([x**k for k in exponents], 1)
    scale = numpy.abs(columns).max(0)
    importance = numpy.ones_like(x)
    best = math.inf, None
    for _ in range(400):
        w = numpy.sqrt(importance) * weight
        solution, *_ = numpy.linalg.lstsq(columns / scale * w[:, None], wanted * w, rcond=None)
        error = numpy.abs((columns / scale @ solution - wanted) * weight)
        if error.max() < best[0]:
            best = error.max(), solution / scale
        importance = importance * (error / error.max() + 1e-4)
        importance /= importance.sum()
    return best


def show(name, exponents, result):
    error, coefficients = result
    print(f'{name}: largest error {error:.2g}')
    for k, c in zip(exponents, coefficients):
        print(f'  x^{k}: {float(numpy.float32(c))!r}f')


def fit_exp():
    """e^r = 1 + r + r² p (r) for |r| ≤ ln 2 / 2, a little more for the rounding of n."""
    half = math.log(2) / 2 * 1.01
    r = half * numpy.cos(numpy.linspace(0, math.pi, 801))
    r = r[numpy.abs(r) > 1e-3]
    wanted = numpy.array([(math.expm1(v) - v) / v**2 for v in r])
    show('p, relative error of exp', range(5), fit(r, wanted, r**2 * numpy.exp(-r), range(5)))


def fit_gelu():
    """log erfc (x/√2) for x from 0, where it counts: the weight is the effect on GELU."""
    x = numpy.concatenate([numpy.linspace(0, 6, 1500), numpy.linspace(6, 13, 200)])
    wanted = numpy.array([math.log(math.erfc(v / math.sqrt(2))) for v in x])
    weight = numpy.maximum(numpy.maximum(x, 0.3) / 2 * numpy.exp(wanted), 1e-9)
    exponents = range(1, 11)
    error, coefficients = fit(x, wanted, weight, exponents)
    show('log erfc, error of GELU', exponents, (error, coefficients))
    end = sum(c * 15.0**k for k, c in zip(exponents, coefficients))
    assert end < -105, 'at 15 the fit must be below what exp() turns into 0'


def split_ln2():
    """ln 2 in two parts; the first has few enough bits that n times it is exact."""
    high = math.floor(math.log(2) * 2**16) / 2**16
    print(f'ln 2: {high!r} + {float(numpy.float32(math.log(2) - high))!r}')
    print(f'1 / ln 2: {float(numpy.float32(1 / math.log(2)))!r}')


if __name__ == '__main__':
    fit_exp()
    fit_gelu()
    split_ln2()
