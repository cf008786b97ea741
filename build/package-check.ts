import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { extractAll } from '@electron/asar'
import { WANTED_FUSES } from './package/fuses.ts'
import { inspect } from './package/inspect.ts'
import { compileInstallerScript } from './package/installer-script.ts'
import { networkProblems, runOffline } from './package/offline.ts'
import { packageApp, type TryTarget } from './package/package-app.ts'
import { runPackedServer } from './package/packed-server.ts'

// `npm run package:check`: packages the app for Linux, macOS and Windows around a stand-in for Electron,
// without network access, inspects the packages, and runs the packed server. `--no-build` takes the
// build in out/ as it is.

const LINUX: TryTarget = { platform: 'linux', arch: 'x64' }
const MAC: TryTarget = { platform: 'darwin', arch: 'arm64' }
const WINDOWS: TryTarget = { platform: 'win32', arch: 'x64' }

const temporary = mkdtempSync(join(tmpdir(), 'tidegate-package-'))
try {
  await check(temporary)
} catch (error) {
  process.stderr.write(`package: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

async function check(folder: string): Promise<void> {
  if (!process.argv.includes('--no-build')) {
    const tool = 'node_modules/electron-vite/bin/electron-vite.js'
    runOffline(tool, ['build', '--logLevel', 'warn'], folder)
    report('built')
  }
  const archive = await checkPackage(LINUX, folder)
  await checkPackage(MAC, folder)
  await checkPackage(WINDOWS, folder)
  report(
    compileInstallerScript(folder)
      ? "build/installer.nsh compiles with electron-builder's macros"
      : 'build/installer.nsh was not checked: NSIS is not installed',
  )
  expectNone(networkProblems(folder))
  report('nothing was fetched: no Node process of the build or of electron-builder opened a socket')
  await checkServer(archive, folder)
  report('needs Electron and is not shown here: loading from the archive, integrity, the sandbox')
}

/** Returns the path of the archive. */
async function checkPackage(target: TryTarget, folder: string): Promise<string> {
  const name = `${target.platform}-${target.arch}`
  const app = packageApp(target, folder)
  const { files, bytes, problems } = await inspect(app, target)
  expectNone(problems.map((problem) => `${name}: ${problem}`))
  const size = `${files} files, ${(bytes / 1024 ** 2).toFixed(1)} MiB`
  const { integrityFile } = app
  const integrity =
    integrityFile === undefined ? '' : `, hash of the archive in ${basename(integrityFile)}`
  report(`${name}: ${size}; content, native file${integrity}, ${WANTED_FUSES.size} fuses as wanted`)
  return app.archive
}

async function checkServer(archive: string, folder: string): Promise<void> {
  const app = join(folder, 'app')
  const dataFolder = join(folder, 'data')
  extractAll(archive, app)
  mkdirSync(dataFolder)
  const { version, telemetry } = await runPackedServer(app, dataFolder)
  report(
    `the packed server ${version} ran under Node, extracted: an app made, a check answered, telemetry ${telemetry.state}`,
  )
}

function expectNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`the package is not good:\n- ${problems.join('\n- ')}`)
}

function report(line: string): void {
  process.stdout.write(`package: ${line}\n`)
}
