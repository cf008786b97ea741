import type { TestModule } from 'vitest/node'

/** How many files are listed. */
const COUNT = 10

/** Returns the lines about the files that took longest. */
export function slowestFiles(modules: readonly TestModule[]): string[] {
  const timed = modules
    .map((module) => ({
      file: module.relativeModuleId,
      project: module.project.name,
      seconds: module.diagnostic().duration / 1_000,
      tests: [...module.children.allTests()].length,
    }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, COUNT)
  if (timed.length < 2) return []
  const width = Math.max(...timed.map(({ seconds }) => seconds.toFixed(1).length))
  const lines = timed.map(({ file, project, seconds, tests }) => {
    const name = project === '' ? file : `${file} (${project})`
    return `${seconds.toFixed(1).padStart(width)} s  ${name}, ${count(tests, 'test')}`
  })
  return ['Slowest files', ...lines.map((line) => `  ${line}`)]
}

/** Returns "1 test" or "2 tests". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
