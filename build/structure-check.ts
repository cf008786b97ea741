import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

// `npm run structure:check`: whether the pages about the structure are true. The lists in CONTRIBUTING.md name the files that
// an addition changes, each held against an example: the files under `src/` that mention it. What the pages name exists, and
// docs/contributing/architecture.md has every folder, and the dependencies that the linter knows. The script of a thread lies
// beside what starts it: tests take it from a bundle. A class of CSS that a part of the page has is in its file.

const ROOT = join(import.meta.dirname, '..')
const PAGE = 'CONTRIBUTING.md'
const ARCHITECTURE = 'docs/contributing/architecture.md'
/** Headings of the page, each with what the sources call its example. */
const EXAMPLES = {
  'Add a field to releases': 'isAdminRightsRequired',
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
const page = read(PAGE)
const additions = Object.entries(EXAMPLES).flatMap(([heading, example]) => {
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
const problems = [
  ...additions,
  ...lostPaths(),
  ...foldersWithoutRow(),
  ...unequalRules(),
  ...lostThreads(),
  ...lostClasses(),
]
for (const problem of problems) process.stderr.write(`structure: ${problem}\n`)
if (problems.length > 0) process.exitCode = 1

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function lostPaths(): readonly string[] {
  const pages = [
    PAGE,
    'SECURITY.md',
    'src/main/README.md',
    'test/reports/README.md',
    ...globSync('docs/contributing/*.md', { cwd: ROOT }),
  ]
  return pages.flatMap((path) =>
    [...read(path).matchAll(/`((?:src|test|build)\/[\w./-]+)`/g)]
      .filter(([, name = '']) => !existsSync(join(ROOT, name)))
      .map(([, name]) => `${path}: ${name} does not exist`),
  )
}

function lostThreads(): readonly string[] {
  return sources.flatMap(({ file, source }) =>
    [...source.matchAll(/workerUrl\('([\w-]+)', import\.meta\.url\)/g)]
      .map(([, name]) => posix.join(posix.dirname(file), `${name}.ts`))
      .filter((script) => !existsSync(join(ROOT, script)))
      .map((script) => `${file}: ${script} does not exist`),
  )
}

function lostClasses(): readonly string[] {
  return sources.flatMap(({ file, source }) =>
    [...source.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)'$/gm)].flatMap(
      ([, imported, path = '']) => {
        const styles = posix.join(posix.dirname(file), path)
        const classes = read(styles).matchAll(/\.([A-Za-z][\w-]*)/g)
        const known = new Set([...classes].map(([, name]) => name))
        return [...source.matchAll(new RegExp(`\\b${imported}\\.(?!module\\b|tsx\\b)(\\w+)`, 'g'))]
          .filter(([, name]) => !known.has(name))
          .map(([, name]) => `${file}: ${styles} has no class ${name}`)
      },
    ),
  )
}

function foldersWithoutRow(): readonly string[] {
  const rows = new Set(firstCells('The source tree'))
  const folders = globSync(['src/*/', 'src/server/*/'], { cwd: ROOT }).map((folder) =>
    folder.split(sep).join('/'),
  )
  return folders
    .filter((folder) => folder !== 'src/server' && !rows.has(`${folder}/`))
    .map((folder) => `${ARCHITECTURE}: the source tree is without ${folder}`)
}

function unequalRules(): readonly string[] {
  const rows = firstCells('Dependencies between folders')
  const { overrides } = JSON.parse(read('biome.json'))
  const ruled: string[] = overrides
    .filter((override: object) => JSON.stringify(override).includes('noRestrictedImports'))
    .flatMap(({ includes }: { includes: string[] }) => includes)
    .filter((glob: string) => /^src\/.*\/\*\*$/.test(glob))
    .map((glob: string) => glob.slice(0, -'/**'.length))
  return [
    ...rows
      .filter((row) => !ruled.includes(row))
      .map((row) => `${ARCHITECTURE}: biome.json has no rule for ${row}`),
    ...ruled
      .filter((folder) => !rows.some((row) => folder === row || folder.startsWith(`${row}/`)))
      .map((folder) => `${ARCHITECTURE}: the dependencies are without ${folder}`),
  ]
}

/** Returns what is code in the first cells of the table under a heading. */
function firstCells(heading: string): readonly string[] {
  const [, section = ''] = read(ARCHITECTURE).split(`## ${heading}\n`)
  const [own = ''] = section.split(/^#+ /m)
  const cells = own.split('\n').map((line) => /^\| (`[^|]+)\|/.exec(line)?.[1] ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
}

/** Returns the files at the start of the items of the lists under a heading. */
function listUnder(heading: string): readonly string[] {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [own = ''] = section.split(/^#+ /m)
  return [...own.matchAll(/^- `(src\/[^`]+)`/gm)].map(([, file = '']) => file)
}
