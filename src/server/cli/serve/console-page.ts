import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { report } from '../command/output.ts'
import { text } from '../strings/serve.ts'

const root = rootAbove(import.meta.dirname)

/** Builds the page from its sources; missing where Tidegate was installed with the page built. */
const BUILDER = join(root, 'build/page.ts')

/** Where the built page of the console is, or will be. */
export const PAGE_FOLDER = join(root, 'out/renderer')

/** Builds the console's page in a process of its own if its sources are newer. Prints if that takes long. Returns what ends it. */
export function buildPage(): () => void {
  if (!existsSync(BUILDER)) return () => {}
  const builder = spawn(process.execPath, [BUILDER], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  builder.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors = (errors + part).slice(-MAX_ERRORS)
  })
  let announced = false
  const timer = setTimeout(() => {
    announced = true
    report(text.building)
  }, PATIENCE)
  let stopped = false
  builder.once('error', (error) => report(text.notBuilt(error.message)))
  builder.once('exit', (code, signal) => {
    clearTimeout(timer)
    // Ctrl-C on a terminal goes to the builder, too.
    if (stopped || signal !== null) return
    if (code !== 0) report(text.notBuilt(errors.trim()))
    else if (announced) report(text.built)
  })
  return () => {
    stopped = true
    builder.kill()
  }
}

/** The project, or the npm package, in which the server is bundled into one folder. */
function rootAbove(folder: string): string {
  const above = dirname(folder)
  return above === folder || existsSync(join(above, 'package.json')) ? above : rootAbove(above)
}

/** Milliseconds in which a page that is built already is known to be. */
const PATIENCE = 1_500
/** Characters of the builder's last errors that are shown. */
const MAX_ERRORS = 4_000
