import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import envPaths from 'env-paths'

// The young space of V8 doubles while modules are loaded, which all survive, and stays so: that was 14 MB of a server, which
// has it grow when many check for updates: see `serve`. Collections are short, so that one takes longer if threads share it.
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--no-parallel-scavenge')

// Most of a command's time goes into compiling sources, so what results from it is kept. Not in the
// temporary folder, as Node would: others may write there.
const { cache } = envPaths('tidegate', { suffix: '' })
enableCompileCache(cache)
// The threads of a server take the folder from the environment only.
process.env.NODE_COMPILE_CACHE ??= cache

const { run } = await import('./cli/run.ts')
await run()
