import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { deferApp } from '../../../../src/server/http/listener/listener.ts'
import { eventually } from '../../../support/eventually.ts'
import { listenLocally } from '../../../support/servers/listen.ts'

type App = (request: IncomingMessage, response: ServerResponse) => void

/** A server of an app that is loaded when the test lets it. */
async function serveDeferred() {
  const { promise, resolve, reject } = Promise.withResolvers<App>()
  const counts = { loads: 0, arrived: 0, left: 0 }
  const failures: unknown[] = []
  const load = () => {
    counts.loads++
    return promise
  }
  const app = deferApp(load, (error) => failures.push(error))
  const server = createServer((request, response) => {
    counts.arrived++
    request.socket.once('close', () => counts.left++)
    app.answer(request, response)
  })
  const url = `http://${await listenLocally(server)}/`
  return { counts, app, failures, resolve, reject, port: Number(new URL(url).port), url }
}

test('what comes before the app is loaded waits for it, with its body, and nothing loads it twice', async () => {
  const { app, counts, resolve, url, failures } = await serveDeferred()
  const waiting = ['one', 'two'].map((body) => fetch(url, { method: 'POST', body }))
  await eventually(() => expect(counts.arrived).toBe(2))
  app.begin()
  resolve((request, response) => void request.pipe(response))
  const answers = await Promise.all(waiting)
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['one', 'two'])
  expect(await (await fetch(url, { method: 'POST', body: 'three' })).text()).toBe('three')
  expect(counts.loads).toBe(1)
  expect(failures).toEqual([])
})

test('an app that cannot be loaded is reported at once, and answers every request with 500', async () => {
  const { app, failures, reject, url } = await serveDeferred()
  const reason = new Error('no such file')
  app.begin()
  reject(reason)
  await eventually(() => expect(failures).toEqual([reason]))
  for (const reported of [2, 3]) {
    const answer = await fetch(url)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({ error: expect.any(String) })
    expect(failures).toEqual(Array(reported).fill(reason))
  }
})

test('whoever leaves before the app is loaded does not reach it', async () => {
  const { counts, resolve, port, url } = await serveDeferred()
  const leaving = connect(port, '127.0.0.1')
  leaving.write('POST /left HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n')
  await eventually(() => expect(counts.arrived).toBe(1))
  leaving.destroy()
  await eventually(() => expect(counts.left).toBe(1))
  const reached: (string | undefined)[] = []
  const staying = fetch(url)
  await eventually(() => expect(counts.arrived).toBe(2))
  resolve((request, response) => {
    reached.push(request.url)
    response.end()
  })
  expect((await staying).status).toBe(200)
  expect(reached).toEqual(['/'])
})
