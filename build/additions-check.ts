import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

// `npm run additions:check`: whether the lists in CONTRIBUTING.md name the files that an addition changes. Each list is
// held against an example: the files under `src/` that mention it.

const ROOT = join(import.meta.dirname, '..')
const PAGE = 'CONTRIBUTING.md'
/** Headings of the page, each with what the sources call its example. */
const EXAMPLES = {
  'Add a setting': 'networkDownloads',
  'Add a command': 'promote',
  'Add an event of webhooks': 'release.paused',
  'Add an alarm': 'certificate_expiring',
  'Add a feed for an updater': 'velopack',
} as const

const sources = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).map((file) => ({
  file: file.split(sep).join('/'),
  source: readFileSync(join(ROOT, file), 'utf8'),
}))
const page = readFileSync(join(ROOT, PAGE), 'utf8')
const problems = Object.entries(EXAMPLES).flatMap(([heading, example]) => {
  const listed = listUnder(heading)
  const found = sources.filter(({ source }) => source.includes(example)).map(({ file }) => file)
  const problem = (what: string) => `${PAGE}, "${heading}": ${what}`
  return [
    ...found
      .filter((file) => !listed.includes(file))
      .map((file) => problem(`${file} mentions ${example}, and is not listed`)),
    ...listed
      .filter((file) => !found.includes(file))
      .map((file) => problem(`${file} does not mention ${example}`)),
    ...(found.length === 0 ? [problem(`nothing mentions ${example}`)] : []),
  ]
})
for (const problem of problems) process.stderr.write(`additions: ${problem}\n`)
if (problems.length > 0) process.exitCode = 1

/** Returns the files at the start of the items of the lists under a heading. */
function listUnder(heading: string): readonly string[] {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [own = ''] = section.split(/^#+ /m)
  return [...own.matchAll(/^- `(src\/[^`]+)`/gm)].map(([, file = '']) => file)
}
