"""Rows of 64 short numbers, at the speed of the processor's vectors: each operation as plain Python first.

What is compiled is written in vectors of LLVM, without an instruction of any one processor: LLVM makes of it what
there is (AVX2 and AVX-512, SSE2, NEON). All numbers are whole, and `network` says why none of them overflows, so both
ways, and every processor, give the same.
"""

from typing import Any

import numpy as np

from davidgoliath.kernel.compiled import IS_COMPILED
from davidgoliath.kernel.layout import Longs, Shorts
from davidgoliath.kernel.shape import HALF, MOST, ONE, SHIFT, WIDTH

BEHIND = [ONE, *[0] * (HALF - 1)]
"""What stands behind the numbers of step 2: the constant's."""


def add_row(weights: Shorts, row: int, rows: Shorts, target: int) -> None:
    """Adds a row of the weights to one of the other rows."""
    rows[target] += weights[row]


def multiply(weights: Shorts, first: int, rows: Shorts, source: int, sums: Longs, target: int) -> None:
    """Adds to a row of 32 sums the products of a row with a matrix.

    Row `first + p` of the weights has, for each of the sums, the weights of the numbers 2p and 2p + 1: so the
    processor multiplies and adds two of them at a time, and never has to add up a vector.
    """
    matrix = weights[first : first + HALF].astype(np.int32).reshape(HALF, HALF, 2)
    sums[target] += (matrix * rows[source].astype(np.int32).reshape(HALF, 1, 2)).sum(axis=(0, 2), dtype=np.int32)


def dot(weights: Shorts, row: int, rows: Shorts, source: int) -> int:
    """The sum of the products of two rows."""
    return int(np.dot(weights[row].astype(np.int64), rows[source].astype(np.int64)))


def clip_row(rows: Shorts, target: int) -> None:
    """No number of a row is below 0, or above MOST."""
    rows[target] = rows[target].clip(0, MOST)


def clip_sums(sums: Longs, source: int, rows: Shorts, target: int) -> None:
    """Makes sums numbers of a row, from 0 to MOST, with ONE behind them."""
    rows[target, :HALF] = (sums[source] >> SHIFT).clip(0, MOST)
    rows[target, HALF:] = BEHIND


if IS_COMPILED:
    from llvmlite.ir import Constant, FunctionType, IntType, Undefined, VectorType
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    SHORT, LONG, WORD = IntType(16), IntType(32), IntType(64)
    ROW, WIDE, SUMS = VectorType(SHORT, WIDTH), VectorType(LONG, WIDTH), VectorType(LONG, HALF)

    class Emitter:
        """What the operations have in common. `vector` is the kind of an array's rows."""

        def __init__(self, context: Any, builder: Any, signature: Any) -> None:
            self.context, self.builder, self.kinds = context, builder, signature.args

        def place(self, argument: int, array: Any, row: Any, vector: Any = ROW) -> Any:
            """Where a row of an array is."""
            data = self.context.make_array(self.kinds[argument])(self.context, self.builder, array).data
            start = self.builder.mul(row, Constant(WORD, vector.count))
            return self.builder.bitcast(self.builder.gep(data, [start]), vector.as_pointer())

        def load(self, place: Any, bytes_a_number: int = 2) -> Any:
            return self.builder.load(place, align=bytes_a_number)

        def everywhere(self, number: Any, vector: Any) -> Any:
            """A vector that has one number at every place."""
            nothing, places = Constant(vector, Undefined), VectorType(LONG, vector.count)
            one = self.builder.insert_element(nothing, number, Constant(LONG, 0))
            return self.builder.shuffle_vector(one, nothing, Constant(places, [0] * vector.count))

        def clipped(self, numbers: Any) -> Any:
            """From 0 to MOST."""
            for sign, limit in ((">", 0), ("<", MOST)):
                limits = Constant(numbers.type, [limit] * numbers.type.count)
                numbers = self.builder.select(self.builder.icmp_signed(sign, numbers, limits), numbers, limits)
            return numbers

        def products(self, one: Any, other: Any) -> Any:
            return self.builder.mul(self.builder.sext(one, WIDE), self.builder.sext(other, WIDE))

        def every_other(self, wide: Any, first: int) -> Any:
            places = Constant(SUMS, list(range(first, WIDTH, 2)))
            return self.builder.shuffle_vector(wide, Constant(WIDE, Undefined), places)

    def _add_row(_: Any, weights: Any, row: Any, rows: Any, target: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            weights, row, rows, target = arguments
            emitter = Emitter(context, builder, signature)
            place = emitter.place(2, rows, target)
            added = builder.add(emitter.load(place), emitter.load(emitter.place(0, weights, row)))
            builder.store(added, place, align=2)
            return context.get_dummy_value()

        return types.void(weights, types.int64, rows, types.int64), emit

    def _clip_row(_: Any, rows: Any, target: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            emitter = Emitter(context, builder, signature)
            place = emitter.place(0, *arguments)
            builder.store(emitter.clipped(emitter.load(place)), place, align=2)
            return context.get_dummy_value()

        return types.void(rows, types.int64), emit

    def _clip_sums(_: Any, sums: Any, source: Any, rows: Any, target: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            sums, source, rows, target = arguments
            emitter = Emitter(context, builder, signature)
            total = emitter.load(emitter.place(0, sums, source, SUMS), 4)
            total = emitter.clipped(builder.ashr(total, Constant(SUMS, [SHIFT] * HALF)))
            half, whole = VectorType(SHORT, HALF), Constant(WIDE, list(range(WIDTH)))
            row = builder.shuffle_vector(builder.trunc(total, half), Constant(half, BEHIND), whole)
            builder.store(row, emitter.place(2, rows, target), align=2)
            return context.get_dummy_value()

        return types.void(sums, types.int64, rows, types.int64), emit

    def _multiply(_: Any, weights: Any, first: Any, rows: Any, source: Any, sums: Any, target: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            weights, first, rows, source, sums, target = arguments
            emitter = Emitter(context, builder, signature)
            pairs = builder.bitcast(emitter.place(2, rows, source), LONG.as_pointer())
            place = emitter.place(4, sums, target, SUMS)
            total = cgutils.alloca_once_value(builder, emitter.load(place, 4))
            with cgutils.for_range(builder, Constant(WORD, HALF)) as loop:
                matrix = emitter.load(emitter.place(0, weights, builder.add(first, loop.index)))
                pair = emitter.everywhere(builder.load(builder.gep(pairs, [loop.index]), align=2), SUMS)
                products = emitter.products(matrix, builder.bitcast(pair, ROW))
                both = builder.add(emitter.every_other(products, 0), emitter.every_other(products, 1))
                builder.store(builder.add(builder.load(total), both), total)
            builder.store(builder.load(total), place, align=4)
            return context.get_dummy_value()

        return types.void(weights, types.int64, rows, types.int64, sums, types.int64), emit

    def _dot(_: Any, weights: Any, row: Any, rows: Any, source: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            weights, row, rows, source = arguments
            emitter = Emitter(context, builder, signature)
            one, other = emitter.load(emitter.place(0, weights, row)), emitter.load(emitter.place(2, rows, source))
            kind, name = FunctionType(LONG, [WIDE]), f"llvm.vector.reduce.add.v{WIDTH}i32"
            total = cgutils.get_or_insert_function(builder.module, kind, name)
            return builder.sext(builder.call(total, [emitter.products(one, other)]), WORD)

        return types.int64(weights, types.int64, rows, types.int64), emit

    add_row, clip_row, clip_sums, multiply, dot = map(intrinsic, (_add_row, _clip_row, _clip_sums, _multiply, _dot))
