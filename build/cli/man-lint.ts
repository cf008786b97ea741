import { spawnSync } from 'node:child_process'

/**
 * Returns what groff finds wrong with a man page, with all of its warnings. Nothing where groff is not installed: then
 * the page is as it was where it was checked last, because it is generated.
 */
export function manProblems(page: string): string[] {
  const { error, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z'], {
    input: page,
    encoding: 'utf8',
  })
  if (error !== undefined) {
    process.stderr.write('groff is not installed, so the man page was not checked\n')
    return []
  }
  return stderr.split('\n').filter((line) => line !== '')
}
