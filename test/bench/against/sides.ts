import type { Bench } from '../scenarios/scenario.ts'

/** The bench of this revision and that of the other one, with the same scale. */
export interface Sides {
  readonly here: Bench
  readonly there: Bench
}

/** The results of rounds of both, each one right after the other, and every second time the other way round. */
export async function alternately<T>(
  rounds: number,
  own: () => Promise<T>,
  other: () => Promise<T>,
): Promise<{ readonly here: T[]; readonly there: T[] }> {
  const here: T[] = []
  const there: T[] = []
  for (let round = 0; round < rounds; round += 1) {
    const isFirst = round % 2 === 0
    if (isFirst) here.push(await own())
    there.push(await other())
    if (!isFirst) here.push(await own())
  }
  return { here, there }
}
