import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// Runs a source file for an npm script: `node build/launch.mjs src/server/cli.ts serve`. Plain
// JavaScript, so that a Node that cannot run TypeScript can print the error below.

/** The first Node version that strips types without a flag or a warning. */
const OLDEST = 24

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  const found = `this is Node ${process.versions.node}`
  const fix = 'Run "npm ci", which installs it, then start Tidegate with "npm run".'
  process.stderr.write(`Tidegate needs Node ${OLDEST} or later, and ${found}. ${fix}\n`)
  process.exit(1)
}

// As `src/server/cli.ts` does, and ahead of it: what Node loads to strip the types of one file stays in memory. First the flag:
// V8 refuses what was compiled with others.
const { setFlagsFromString } = await import('node:v8')
const { enableCompileCache, registerHooks } = await import('node:module')
setFlagsFromString('--semi-space-growth-factor=1')
const { default: envPaths } = await import('env-paths')
process.env.NODE_COMPILE_CACHE ??= envPaths('tidegate', { suffix: '' }).cache
enableCompileCache(process.env.NODE_COMPILE_CACHE)

// An import of a source names its file, which Node would first look for, with the package around it. Zod's messages in sixty
// languages are never shown, and are a quarter of the files that a command loads.
registerHooks({
  resolve: (name, context, resolve) =>
    name.startsWith('.') && name.endsWith('.ts')
      ? {
          url: new URL(name, context.parentURL).href,
          format: 'module-typescript',
          shortCircuit: true,
        }
      : resolve(name, context),
  load: (url, context, load) =>
    url.endsWith('/zod/v4/locales/index.js')
      ? { format: 'module', source: '', shortCircuit: true }
      : load(url, context),
})

// npm runs a script in a shell, and some shells exit on SIGTERM without forwarding it.
process.env.TIDEGATE_STOP_WITH_PARENT ??= 'true'

const [node, , entry, ...args] = process.argv
const file = resolve(String(entry))
process.argv = [node, file, ...args]
await import(pathToFileURL(file).href)
