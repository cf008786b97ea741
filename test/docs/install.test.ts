import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SERVER_NUMBERS } from '../../src/shared/operation/server-numbers.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { PageCode, ROOT } from '../support/docs/page.ts'
import { homeWithData, runShell, startServer } from '../support/docs/run.ts'
import { needs } from '../support/tools.ts'

const code = new PageCode('docs/install.md')
const [start = '', health = ''] = code.take('Server', 'sh')
const onNetwork = code.takeOne('On your network', 'sh')
// Run by test/e2e/browser-npm-package.spec.ts.
code.take('npm package', 'sh')
// Docker is not needed to run the tests: what the commands start is checked by `npm run container:check`.
const [composeUp = '', setupLink = ''] = code.take('Container', 'sh')
// Not run: they would change the firewall of the computer that runs the tests, and the last one needs Windows.
const firewalls = [...code.take('Firewall', 'sh'), code.takeOne('Firewall', 'powershell')]

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('the server starts and is healthy', needs('curl'), async () => {
  const environment = await homeWithData(temporaryFolder())
  const address = await startServer(start, environment)
  const answer = await runShell(health.replace('http://127.0.0.1:8440', address), environment)
  expect(JSON.parse(answer)).toMatchObject({ status: 'ok' })
})

test('the server can be reached from the network', async () => {
  const address = await startServer(onNetwork, await homeWithData(temporaryFolder()))
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})

test('the firewalls are opened for the default port, and for nothing else', () => {
  for (const block of firewalls) {
    const ports = block.match(/\d{2,}/g)
    expect([block, ports]).toEqual([block, [String(SERVER_NUMBERS.port.default)]])
  }
})

test('the container is started with the variables that its Compose file needs', () => {
  const [, variable = '', file = ''] =
    /^export (\w+)=\S+\ndocker compose --file (\S+) up /.exec(composeUp) ?? []
  const compose = readFileSync(join(ROOT, file), 'utf8')
  const needed = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  expect([...new Set(needed)]).toEqual([variable])
})

test('the link of the first account is printed in the container', async () => {
  const environment = { ...(await homeWithData(temporaryFolder())), TIDEGATE_CONSOLE: undefined }
  await startServer(start, environment)
  // The part that runs in the container, with the command of the source in its place.
  const [, inside = ''] = /exec tidegate \\\n +tidegate (.*)$/.exec(setupLink) ?? []
  const script = `export TIDEGATE_DOMAIN=updates.example.com\nnpm run -s tidegate -- ${inside}`
  expect(await runShell(script, environment)).toMatch(
    /https:\/\/updates\.example\.com\/console\/#\/link\/[\w-]+/,
  )
})
