import type { TestCase, TestModule } from 'vitest/node'
import { installCommand } from '../tools.ts'
import { count } from './slowest-files.ts'

/** Returns a line for each tool for want of which tests were skipped. A test that needs two counts for both. */
export function missingTools(modules: readonly TestModule[]): string[] {
  const skipped = countSkipped(modules, (test) => test.meta().missing ?? [])
  if (skipped.length === 0) return []
  const lines = skipped.map(
    ([tool, tests]) => `  ${tool}: ${count(tests, 'test')} skipped. ${installCommand(tool)}`,
  )
  return ['Missing tools', ...lines]
}

/** Returns a line for each reason that skipped tests gave, such as a right that this account lacks. */
export function otherReasons(modules: readonly TestModule[]): string[] {
  const skipped = countSkipped(modules, (test) => {
    const { note } = test.result() as { readonly note?: string }
    return note === undefined ? [] : [note]
  })
  if (skipped.length === 0) return []
  const lines = skipped.map(([reason, tests]) => `  ${reason}: ${count(tests, 'test')} skipped`)
  return ['Other reasons', ...lines]
}

/** Returns how many skipped tests have each of the reasons, by name. */
function countSkipped<Reason extends string>(
  modules: readonly TestModule[],
  reasonsOf: (test: TestCase) => readonly Reason[],
): [Reason, number][] {
  const counts = new Map<Reason, number>()
  for (const module of modules) {
    for (const test of module.children.allTests('skipped')) {
      for (const reason of reasonsOf(test)) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
}
