import { expect, test } from 'vitest'
import { ROOT } from '../../support/builders/people.ts'
import { artifact } from '../../support/builders/releases.ts'
import { freePort } from '../../support/processes/ports.ts'
import { call, cookieOf, send, signUp, startBrowserConsole } from '../../support/servers/browser.ts'
import { check, publish, serve } from '../../support/servers/calls.ts'
import {
  builtFile,
  downloadUrl,
  startHosting,
  tusOf,
  uploadFile,
} from '../../support/servers/hosting.ts'
import { signInAtProvider, startProvider } from '../../support/servers/identity-provider.ts'
import { OtherServers } from '../../support/servers/others.ts'
import { browserWith } from '../../support/servers/signed-in.ts'

test('who comes back from the identity provider to a server out of contact can try again', async () => {
  const others = new OtherServers()
  const port = await freePort()
  const page = `http://127.0.0.1:${port}/console/`
  const provider = await startProvider(`${page}sign-on`)
  const server = await startBrowserConsole({ port, provider }, others.parts)
  await signUp(server)
  const access = { server: 'viewer', apps: new Map() } as const
  const { token } = await server.people.invite(ROOT, { name: 'Noah', access })
  const begun = await call(server.address, 'account/signOn', { page, link: token })
  const query = await signInAtProvider(JSON.parse(begun.text).result.data.url, 'n-1')
  const back = () =>
    send(server.address, `/console/sign-on?${query}`, { headers: { cookie: cookieOf(begun) } })
  others.lose()
  const answer = await back()
  expect([answer.status, answer.headers['content-type'], answer.headers['retry-after']]).toEqual([
    ...[503, 'text/html; charset=utf-8', '5'],
  ])
  expect(answer.text).toContain('You are not signed in')
  // The page leads to itself, and what the sign-in needs is still there.
  expect(answer.text).toContain('<a href="">Try again</a>')
  expect(answer.headers['set-cookie']).toBeUndefined()
  others.regain()
  const again = await back()
  expect([again.status, again.headers.location]).toEqual([303, './'])
  const [, session = ''] = again.headers['set-cookie'] ?? []
  const noah = browserWith(server, session.split(';')[0] ?? '')
  expect((await noah.call('account/state')).data).toMatchObject({ signedInAs: 'Noah' })
})

test('a server out of contact sends stored files, also of a release that was rolled back, and takes none', async () => {
  const others = new OtherServers()
  const server = await startHosting({}, { parts: others.parts })
  const { content } = builtFile(2_000)
  const file = await uploadFile(server, content, 'Editor.dmg')
  await publish(server, '1.1.0', { artifacts: [artifact({ url: file.url, sha512: file.sha512 })] })
  await serve(server, '1.1.0', { status: 'rolled_back' })
  others.lose()
  expect((await check(server, '1.0.0')).status).toBe(204)
  const download = await fetch(downloadUrl(server, file))
  expect(download.status).toBe(200)
  expect(Buffer.from(await download.arrayBuffer())).toEqual(content)
  const tus = tusOf(server)
  expect((await tus.begin({ size: 10 })).status).toBe(503)
  others.regain()
  expect((await tus.begin({ size: 10 })).status).toBe(201)
})
