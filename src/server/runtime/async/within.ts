/** Returns what `work` resolves to, or what `late` returns or throws after so many milliseconds. The work goes on then. */
export async function within<T, Late>(
  milliseconds: number,
  work: Promise<T>,
  late: () => Late,
): Promise<T | Late> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  try {
    return await Promise.race([work, promise.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
