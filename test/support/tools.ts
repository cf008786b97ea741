import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestOptions } from 'vitest'
import { isBare } from './bare.ts'
import { postgresPrograms } from './postgres/programs.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The tools for want of which the test was skipped. */
    missing?: readonly Tool[]
  }
}

/** A tool that is no program in PATH. */
interface Checked {
  readonly install: string
  readonly isInstalled: () => boolean
}

const ROOT = join(import.meta.dirname, '../..')
const INSTALL_TOOLS = 'npm run install:tools'

/**
 * What tests start and neither Node nor `npm ci` brings, with the command that installs it. The name is that of the
 * program unless there is a check.
 */
const TOOLS = {
  apache2: 'apt-get install apache2',
  bash: 'apt-get install bash',
  caddy: 'apt-get install caddy',
  curl: 'apt-get install curl',
  'dpkg-deb': 'apt-get install dpkg',
  'firefox-esr': 'apt-get install firefox-esr',
  haproxy: 'apt-get install haproxy',
  makensis: 'apt-get install nsis',
  nginx: 'apt-get install nginx',
  openssl: 'apt-get install openssl',
  osslsigncode: 'apt-get install osslsigncode',
  postgresql: {
    install: 'apt-get install postgresql',
    isInstalled: () => postgresPrograms() !== undefined,
  },
  prometheus: 'apt-get install prometheus',
  promtool: 'apt-get install prometheus',
  python3: 'apt-get install python3',
  rpmbuild: 'apt-get install rpm',
  'systemd-analyze': 'apt-get install systemd',
  'systemd-notify': 'apt-get install systemd',
  tar: 'apt-get install tar',
  taskset: 'apt-get install util-linux',
  zstd: 'apt-get install zstd',
  // Packages of npm, in build/ and test/.
  '@electron/fuses': {
    install: INSTALL_TOOLS,
    isInstalled: () => isPackage('build', '@electron/fuses'),
  },
  '@sentry/node': {
    install: INSTALL_TOOLS,
    isInstalled: () => isPackage('test', '@sentry/node'),
  },
  'app-builder-lib': {
    install: INSTALL_TOOLS,
    isInstalled: () => isPackage('build', 'app-builder-lib'),
  },
  'openapi-typescript': {
    install: INSTALL_TOOLS,
    isInstalled: () => isPackage('test', 'openapi-typescript'),
  },
  velopack: { install: INSTALL_TOOLS, isInstalled: () => isPackage('test', 'velopack') },
} as const satisfies Readonly<Record<string, string | Checked>>

/** A program that `.ci/run` installs, and that a computer with nothing but Node, npm and git lacks. */
export type Tool = keyof typeof TOOLS

/**
 * Returns the options of a test, or of a group of tests, that starts these tools: it is skipped where one is missing, and
 * the end of the report says which. Throws where `CI` is set, where every tool must be installed.
 */
export function needs(...tools: readonly Tool[]): TestOptions {
  const missing = tools.filter((tool) => !isInstalled(tool))
  if (missing.length === 0) return { tags: ['tool'] }
  if (process.env.CI) {
    const fixes = missing.map((tool) => `${tool} is missing: ${installCommand(tool)}`)
    throw new Error(fixes.join('\n'))
  }
  return { tags: ['tool'], skip: true, meta: { missing } }
}

/** Returns the command that installs a tool. */
export function installCommand(tool: Tool): string {
  const entry: string | Checked = TOOLS[tool]
  return typeof entry === 'string' ? entry : entry.install
}

function isInstalled(tool: Tool): boolean {
  const entry: string | Checked = TOOLS[tool]
  if (typeof entry !== 'string') return entry.isInstalled()
  // Servers are in a folder that is in the PATH of the superuser alone.
  const more = isBare ? [] : ['/usr/sbin']
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...more]
  return folders.some((folder) => isProgram(join(folder, tool)))
}

/** Returns the packages of npm that tests start and that are not installed. */
export function absentTools(): string[] {
  const tools: readonly (readonly [string, string | Checked])[] = Object.entries(TOOLS)
  return tools.flatMap(([name, tool]) => {
    const isAbsent =
      typeof tool !== 'string' && tool.install === INSTALL_TOOLS && !tool.isInstalled()
    return isAbsent ? [name] : []
  })
}

function isPackage(folder: string, name: string): boolean {
  return existsSync(join(ROOT, folder, 'node_modules', name))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
