import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright'

const root = resolve(import.meta.dirname, '../../..')

/** The app as a person has it before them, with a data folder of its own. */
export interface ReleaseConsole {
  readonly app: ElectronApplication
  readonly page: Page
  /** Where its server is told to listen. */
  readonly address: string
  /** Goes to a screen by the navigation. */
  goTo(
    screen: 'Overview' | 'Releases' | 'Apps and channels' | 'API keys' | 'Audit log',
  ): Promise<void>
  /** Quits the app and removes its folder. */
  close(): Promise<void>
}

/** Starts the built app. `port`: of its server; a free one unless told. */
export async function openConsole(options: { port?: number } = {}): Promise<ReleaseConsole> {
  const port = options.port ?? (await freePort())
  const userData = mkdtempSync(join(tmpdir(), 'tidegate-e2e-'))
  const settings = { address: { host: '127.0.0.1', port } }
  mkdirSync(userData, { recursive: true })
  writeFileSync(join(userData, 'settings.json'), JSON.stringify(settings))
  const app = await _electron.launch({
    args: [root],
    env: environment({ TIDEGATE_USER_DATA: userData, HOME: userData }),
    // The theme is the app's to choose.
    colorScheme: null,
  })
  if (process.env.E2E_VERBOSE) {
    app.process().stderr?.pipe(process.stderr)
    app.process().stdout?.pipe(process.stdout)
  }
  const page = await app.firstWindow()
  page.setDefaultTimeout(15_000)
  return {
    app,
    page,
    address: `http://127.0.0.1:${port}`,
    async goTo(screen) {
      const places = page.getByRole('navigation', { name: 'Screens' })
      await places.getByRole('link', { name: screen }).click()
      await page.getByRole('heading', { level: 1, name: screen }).waitFor()
    },
    async close() {
      await app.close()
      rmSync(userData, { recursive: true, force: true })
    },
  }
}

/** Process ids of the server's utility process; one, unless it is down. */
export function serverProcesses(app: ElectronApplication): Promise<number[]> {
  return app.evaluate(({ app: it }) =>
    it
      .getAppMetrics()
      .filter(({ name }) => name === 'Tidegate server')
      .map(({ pid }) => pid),
  )
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const { port, release } = await takePort()
  await release()
  return port
}

/** Listens on a port until it is released. */
export async function takePort(): Promise<{ port: number; release(): Promise<void> }> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const release = () => new Promise<void>((done) => server.close(() => done()))
  return { port: address.port, release }
}

function environment(own: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name.startsWith('VITEST') || name === 'NODE_ENV' ? [] : [[name, value]],
  )
  return { ...Object.fromEntries(inherited), ...own }
}
