import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { launchdPlist } from '../src/server/cli/service/launchd.ts'
import { systemdUnit } from '../src/server/cli/service/systemd-unit.ts'
import { windowsTask } from '../src/server/cli/service/windows.ts'
import { fileSchema } from '../src/server/cli/settings/file-fields.ts'
import { commandList } from './cli/command-list.ts'
import { documentedProgram } from './cli/commands.ts'
import { jsonSchemas } from './cli/json-schemas.ts'
import { manProblems } from './cli/man-lint.ts'
import { manPage } from './cli/man-page.ts'
import { markdown } from './cli/markdown.ts'

// `npm run generate`: writes the files of the repository that are made from its sources, for people who read or
// download them. With `--check`, as `npm run check` does, fails if one of them differs. Either way, fails if the man
// page has problems.

const ROOT = join(import.meta.dirname, '..')
const UNIX = {
  node: '/opt/tidegate/node_modules/node/bin/node',
  entry: '/opt/tidegate/src/server/cli.ts',
}
const WINDOWS = {
  node: 'C:\\Program Files\\Tidegate\\node_modules\\node\\bin\\node.exe',
  entry: 'C:\\Program Files\\Tidegate\\src\\server\\cli.ts',
}

const program = await documentedProgram()
const man = manPage(program)
/** By their paths in the repository. */
const generated = new Map([
  ['src/server/cli/command-list.ts', await commandList()],
  ['docs/cli.md', markdown(program)],
  ['docs/cli.schema.json', jsonSchemas(program.commands)],
  ['docs/tidegate.schema.json', `${JSON.stringify(fileSchema(), null, 2)}\n`],
  ['build/man/tidegate.1', man],
  ['build/service/tidegate.service', systemdUnit(UNIX, { lowPort: false, writable: [] })],
  ['build/service/app.tidegate.server.plist', launchdPlist(UNIX, 'YOUR_ACCOUNT')],
  ['build/service/tidegate-task.xml', windowsTask(WINDOWS, 'C:\\ProgramData\\Tidegate')],
])

const isCheck = process.argv.includes('--check')
for (const [name, content] of generated) {
  const file = join(ROOT, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue
  if (isCheck) fail(`${name} is not up to date. Run "npm run generate".`)
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
for (const problem of manProblems(man)) fail(`build/man/tidegate.1: ${problem}`)

function fail(problem: string): void {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
