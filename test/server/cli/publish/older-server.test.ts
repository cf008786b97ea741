import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { HttpClient } from '../../../../src/remote/http-client.ts'
import { publishOrSame } from '../../../../src/server/cli/publish/publish-or-same.ts'
import { commandServer } from '../../../../src/server/cli/server/calls.ts'
import { keyCalls } from '../../../../src/server/cli/server/key-calls.ts'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { listenLocally } from '../../../support/servers/listen.ts'

/** Answers a release to every body that it gets, and keeps them. */
async function startOlderServer() {
  const bodies: unknown[] = []
  const server = createServer(async (request, response) => {
    const body = PublishBody.parse(bodies[bodies.push(await json(request)) - 1])
    const more = { id: '0190a6c4-6a3d-7c1a-8000-000000000000', status: 'published', offered: false }
    const release = { ...body, ...more, createdAt: '2026-11-22T12:00:00.000Z' }
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ release }))
  })
  const url = `http://${await listenLocally(server)}`
  const http = new HttpClient({ url, pin: null })
  onTestFinished(() => http.close())
  return { bodies, commands: commandServer(keyCalls({ http, url, key: 'key' })) }
}

test('a kind is sent to the server only where there is one', async () => {
  const { bodies, commands } = await startOlderServer()
  const [plain, deb] = [artifact(), artifact({ arch: 'aarch64', kind: 'deb' })]
  const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
  const content = PublishBody.parse({ ...place, artifacts: [plain, deb] })
  expect(content.artifacts.map(({ kind }) => kind)).toEqual(['', 'deb'])
  await publishOrSame(commands, content, 'fail')
  const [first, second] = content.artifacts
  const { kind: _, ...sent } = first ?? { kind: '' }
  expect(bodies).toEqual([{ ...content, artifacts: [sent, second] }])
})
