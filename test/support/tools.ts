import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The tools for want of which the test was skipped. */
    missing?: readonly string[]
  }
}

/** What tests start and neither Node nor `npm ci` brings, with the command that installs it. */
const TOOLS = {
  caddy: 'apt-get install caddy',
  nginx: 'apt-get install nginx',
  promtool: 'apt-get install prometheus',
} as const

/** A program that `.ci/run` installs, and that a computer with nothing but Node, npm and git lacks. */
export type Tool = keyof typeof TOOLS

/**
 * Returns the options of a test, or of a group of tests, that starts these tools: it is skipped where one is missing, and
 * the end of the report says which. Throws where `CI` is set, where every tool must be installed.
 */
export function needs(...tools: readonly Tool[]): TestOptions {
  const missing = tools.filter((tool) => !isInstalled(tool))
  if (missing.length === 0) return {}
  if (process.env.CI) {
    const fixes = missing.map((tool) => `${tool} is missing: ${TOOLS[tool]}`)
    throw new Error(fixes.join('\n'))
  }
  return { skip: true, meta: { missing } }
}

function isInstalled(tool: Tool): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) => isProgram(join(folder, tool)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
