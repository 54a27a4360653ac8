"""How discs push each other away: exactly when few, over a mesh when many.

Owns one force, the sum of mass / distance away from every other disc. Knows no relations and
no iterations; arrays in, arrays out.
"""

from __future__ import annotations

import functools

import numpy as np
import scipy.fft

EXACT_LIMIT = 360
FloatArray = np.ndarray


def build_repulsion(points: FloatArray, masses: FloatArray) -> FloatArray:
    """Return the push on every point, shape (N, 2), in units of 1 / distance."""
    if len(points) <= EXACT_LIMIT:
        return _exact(points, masses)
    return _mesh(points, masses)


def _exact(points: FloatArray, masses: FloatArray) -> FloatArray:
    dx = points[:, 0][:, None] - points[:, 0][None, :]
    dy = points[:, 1][:, None] - points[:, 1][None, :]
    pull = masses[None, :] / (dx * dx + dy * dy + 1e-2)
    return np.stack(((dx * pull).sum(1), (dy * pull).sum(1)), axis=1)


@functools.lru_cache(maxsize=4)
def _kernel(n_cells: int) -> np.ndarray:
    # Force of one cell on another as a complex number, on a grid twice as wide so that the
    # circular convolution of the FFT does not wrap around.
    axis = np.fft.fftfreq(2 * n_cells, 1 / (2 * n_cells))
    x, y = np.meshgrid(axis, axis)
    squared = x * x + y * y
    squared[0, 0] = 1.0
    force = (x + 1j * y) / squared
    force[0, 0] = 0.0
    return scipy.fft.fft2(force.astype(np.complex64))


def _mesh(points: FloatArray, masses: FloatArray) -> FloatArray:
    """Particle-mesh force (Hockney and Eastwood): deposit, convolve, gather with equal weights.

    The same weights both ways make the force of a point on itself zero.
    """
    n_cells = 128 if len(points) <= 6_000 else 256
    low = points.min(0)
    step = max(float((points.max(0) - low).max()), 1e-6) / (n_cells - 2)
    place = (points - low) / step
    base = np.minimum(place.astype(np.int64), n_cells - 2)
    share = place - base
    flat = base[:, 1] * n_cells + base[:, 0]
    fx, fy = share[:, 0], share[:, 1]
    corners = (
        (flat, (1 - fx) * (1 - fy)),
        (flat + 1, fx * (1 - fy)),
        (flat + n_cells, (1 - fx) * fy),
        (flat + n_cells + 1, fx * fy),
    )
    density = np.zeros(n_cells * n_cells)
    for index, weight in corners:
        density += np.bincount(index, weight * masses, minlength=n_cells * n_cells)
    grid = density.reshape(n_cells, n_cells).astype(np.complex64)
    spectrum = scipy.fft.fft2(grid, s=(2 * n_cells, 2 * n_cells))
    field = scipy.fft.ifft2(spectrum * _kernel(n_cells))[:n_cells, :n_cells].ravel()
    push = sum(field[index] * weight for index, weight in corners) / step
    return np.stack((push.real, push.imag), axis=1).astype(np.float64)
