import { registerHooks } from 'node:module'

const double = new URL('./electron.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: double, shortCircuit: true }
      : next(specifier, context),
})
