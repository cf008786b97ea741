import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../builders/folders.ts'
import { ROOT } from '../docs/page.ts'
import { type HostingServer, startHosting } from '../servers/hosting.ts'
import { startUploadStore, type UploadStore } from '../servers/upload-store.ts'
import { type Runner, readAction } from './github.ts'
import { RUN_TIDEGATE, writePackage, writeTool } from './tools.ts'

export const CHANGELOG = '# Changelog\n\n## [1.4.0] - 2026-11-02\n\nFast.\n\n## [1.3.0]\n\nOld.\n'

/** A server, a place for downloads, and the repository of an app whose pipelines run. */
export interface CiWorld {
  readonly server: HostingServer
  readonly store: UploadStore
  /** The copy of the app's repository. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** A page's code, with the addresses of this server and this store. */
  readonly here: (text: string) => string
}

/** Starts the server and the store, with the app `editor` and an empty repository but for its changelog. */
export async function startCiWorld(): Promise<CiWorld> {
  const [server, store, home] = [await startHosting(), await startUploadStore(), temporaryFolder()]
  const folder = join(home, 'app')
  mkdirSync(folder)
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG)
  const tools = writeTool(join(home, 'tools'), 'tidegate', RUN_TIDEGATE)
  const { TIDEGATE_SERVER: _, TIDEGATE_DATA: __, ...inherited } = process.env
  const env = { ...inherited, PATH: `${tools}:${process.env.PATH}`, XDG_CONFIG_HOME: home }
  const here = (text: string) =>
    text
      .replaceAll('https://updates.example.com', server.address)
      .replaceAll('https://downloads.example.com/', store.address)
  return { server, store, folder, env, here }
}

/** Returns 1.4.0 as the server has it; undefined if it is not there. */
export async function released({ server }: CiWorld) {
  return (await server.call('GET', '/api/v1/releases/editor/stable/1.4.0')).body?.release
}

/** A runner that has checked out the app, with the action where the page says. */
export function runnerOf(
  { folder, env, server }: CiWorld,
  actions: Runner['actions'] = {},
): Runner {
  const target = join(folder, '.github/actions/tidegate')
  mkdirSync(target, { recursive: true })
  copyFileSync(join(ROOT, 'build/ci/github/action.yml'), join(target, 'action.yml'))
  const nothing = () => {}
  return {
    workspace: folder,
    env,
    contexts: {
      github: { ref_name: 'v1.4.0', token: 'token' },
      secrets: { TIDEGATE_KEY: server.key, DOWNLOADS_TOKEN: 'token' },
      vars: { TIDEGATE_PACKAGE: writePackage(join(folder, '../package')) },
      matrix: { os: 'ubuntu-latest' },
    },
    actions: {
      'actions/checkout': nothing,
      'actions/setup-node': nothing,
      'dtolnay/rust-toolchain': nothing,
      './.github/actions/tidegate': readAction(join(target, 'action.yml')),
      ...actions,
    },
  }
}
