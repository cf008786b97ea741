import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileFolder } from '../../../support/builders/folders.ts'
import { done, serveWith, startCli } from '../../../support/processes/cli.ts'
import { databaseVariables } from '../../../support/servers/engine.ts'
import { request } from '../../../support/servers/server.ts'

/** Variables of a process that does not find a source, as if its files had been replaced while it ran. */
function without(source: string): { readonly NODE_OPTIONS: string } {
  const module = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(specifier, context, next) {
      if (specifier.endsWith('/${source}')) throw new Error('${source} is gone')
      return next(specifier, context)
    } })`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` }
}

/** What a server logged as errors. */
function errorsIn(stderr: string): { msg: string; reason: string }[] {
  const lines = stderr.trim().split('\n')
  const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  return logged
    .filter(({ level }) => level >= 50)
    .map(({ msg, err }) => ({ msg, reason: err.message }))
}

test.concurrent('a server that cannot load its API says so, fails every probe, and still answers devices', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const server = await serveWith(without('app.ts'), folder)
  const check = await request(`${server.address}/u/editor/stable/linux/x86_64/1.0.0`, 'GET')
  expect(check.status).toBe(204)
  for (const path of ['/healthz', '/healthz/ready', '/api/v1/openapi.json']) {
    const answer = await request(`${server.address}${path}`, 'GET')
    expect([answer.status, answer.body]).toEqual([500, { error: expect.any(String) }])
  }
  const { code, stderr } = await server.stop()
  expect(code).toBe(0)
  const failure = { msg: 'could not load the API', reason: 'app.ts is gone' }
  // When the server has started, and for every request.
  expect(errorsIn(stderr)).toEqual(Array(4).fill(failure))
})

test.concurrent('a console that cannot be loaded fails the requests of browsers, and nothing else', async () => {
  const console = ['--console', 'loopback']
  const server = await serveWith(without('web-console.ts'), fileFolder(), ...console)
  expect((await request(`${server.address}/console/`, 'GET')).status).toBe(500)
  expect((await request(`${server.address}/healthz`, 'GET')).status).toBe(200)
  const { code, stderr } = await server.stop()
  expect(code).toBe(0)
  expect(errorsIn(stderr)).toEqual([{ msg: 'request failed', reason: 'web-console.ts is gone' }])
})

test.concurrent('a server that cannot load what its stored files need does not start', async () => {
  const folder = fileFolder()
  const files = ['--artifacts', join(folder, 'files'), '--public-url', 'http://localhost']
  const env = { ...(await databaseVariables(folder)), ...without('hosting-part.ts') }
  const { ended } = startCli(['serve', '--data', folder, '--port', '0', ...files], env)
  const { code, stdout, stderr } = await ended
  expect([code === 0, stdout]).toEqual([false, ''])
  expect(stderr).toContain('hosting-part.ts is gone')
})
