/** A generator of unsigned 32-bit integers, the same sequence for the same seed (xorshift). */
export function randomIntegers(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

/** The integers below `count`, each once, in random order. */
export function shuffled(count: number, seed: number): Uint32Array {
  const random = randomIntegers(seed)
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i -= 1) {
    const other = random() % (i + 1)
    const kept = order[i] ?? 0
    order[i] = order[other] ?? 0
    order[other] = kept
  }
  return order
}
