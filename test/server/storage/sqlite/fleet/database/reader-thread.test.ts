import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../../../../src/server/storage/sqlite/database.ts'
import { openFleetDatabase } from '../../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import {
  createReaders,
  type Readers,
} from '../../../../../../src/server/storage/sqlite/fleet/reads/readers.ts'
import { WorkerClient } from '../../../../../../src/server/storage/sqlite/threads/worker-client.ts'
import { makeFleetFile } from '../../../../../support/builders/fleet-file.ts'
import { temporaryFolder } from '../../../../../support/builders/folders.ts'
import { connect } from '../../../../../support/servers/database.ts'

async function start() {
  const keys = await makeFleetFile()
  const reader = new WorkerClient<Readers>({ role: 'reader', file: keys.file })
  onTestFinished(() => reader.close())
  return { ...keys, reader }
}

describe('the reader thread', () => {
  test('answers as the readers on a connection of this thread do', async () => {
    const { reader, file, editor } = await start()
    const here = openDatabase(file, { readonly: true })
    const readers = createReaders(here)
    expect(await reader.ask('traffic', editor, 100)).toEqual(readers.traffic(editor, 100))
    expect(await reader.ask('presence', editor, 100)).toEqual([])
    here.close()
  })

  test('sees what another connection has committed since', async () => {
    const { reader, file, editor, stable } = await start()
    const [before] = await reader.ask('traffic', editor, 100)
    expect(before).toMatchObject({ channel: 'stable', checkIns: 0 })
    connect(file).prepare('INSERT INTO traffic VALUES (?, 100, 9, 0, 0)').run(stable)
    const [after] = await reader.ask('traffic', editor, 100)
    expect(after).toMatchObject({ channel: 'stable', checkIns: 9 })
  })

  test('answers each of many requests with its own answer', async () => {
    const { reader, editor, player } = await start()
    const asked = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? editor : player))
    const answers = await Promise.all(asked.map((app) => reader.ask('traffic', app, 100)))
    expect(answers.map(({ length }) => length)).toEqual(
      asked.map((app) => (app === editor ? 2 : 1)),
    )
  })

  test('rejects a read that throws, and goes on', async () => {
    const { reader, editor } = await start()
    const wrong: number = JSON.parse('{"not": "a number"}')
    await expect(reader.ask('traffic', wrong, 100)).rejects.toThrow(/./)
    expect(await reader.ask('traffic', editor, 100)).toHaveLength(2)
  })

  test('rejects when there is no database, and again the next time', async () => {
    const file = `${temporaryFolder()}/nothing.db`
    const reader = new WorkerClient<Readers>({ role: 'reader', file })
    onTestFinished(() => reader.close())
    await expect(reader.ask('traffic', 1, 100)).rejects.toMatchObject({ code: 'missing' })
    await expect(reader.ask('traffic', 1, 100)).rejects.toMatchObject({ code: 'missing' })
  })

  test('is closed with the store, and rejects pending requests', async () => {
    const { file, editor } = await makeFleetFile()
    const store = openFleetDatabase(file)
    expect(await store.traffic(editor, 100)).toHaveLength(2)
    // More than it can answer before it ends.
    const waiting = Array.from({ length: 5_000 }, () => store.read('traffic', editor, 100))
    const answered = Promise.allSettled(waiting)
    await store.close()
    const reason = expect.objectContaining({ message: expect.stringContaining('the reader') })
    expect((await answered).at(-1)).toEqual({ status: 'rejected', reason })
    await expect(store.read('traffic', editor, 100)).rejects.toThrow('the reader is closed')
  })
})

describe('a thread with requests', () => {
  /** Answers with what it is asked, except that it is told to die, to say nothing, or to close its work. */
  const SCRIPT = `
    import { parentPort, workerData } from 'node:worker_threads'
    parentPort.on('message', ({ id, method }) => {
      if (method === 'die') throw new Error('as it was told')
      if (method === 'exit') process.exit(3)
      const answer = () => parentPort.postMessage({ id, ok: true, value: workerData + method })
      if (method === 'close') process.exit(4)
      if (method === 'wait') setTimeout(answer, 100)
      else if (method !== 'nothing') answer()
    })`
  const begin = (options: { idleTime?: number; onExit?: (code: number) => void } = {}) => {
    const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`)
    const { onExit = () => {} } = options
    const start = () => new Worker(script, { workerData: 'file ' }).once('exit', onExit)
    const thread = new WorkerClient({ role: 'reader', file: 'file' }, { start, ...options })
    onTestFinished(() => thread.close({ atOnce: true }))
    return thread
  }

  test('ends when nobody asks for a while, not while it is asked, and starts again', async () => {
    const ends: number[] = []
    const thread = begin({ idleTime: 20, onExit: (code) => ends.push(code) })
    const waiting = thread.ask('nothing')
    const outcome = Promise.allSettled([waiting])
    expect(await thread.ask('one')).toBe('file one')
    expect(await thread.ask('wait')).toBe('file wait')
    expect(ends).toEqual([])
    await Promise.allSettled([thread.ask('die')])
    expect(await outcome).toMatchObject([{ status: 'rejected' }])
    expect(await thread.ask('two')).toBe('file two')
    await expect.poll(() => ends).toEqual([1, 4])
    expect(await thread.ask('three')).toBe('file three')
  })

  test('is restarted after it exited, and rejects pending requests', async () => {
    const thread = begin()
    expect(await thread.ask('one')).toBe('file one')
    const waiting = thread.ask('nothing')
    const [deaths] = await Promise.all([Promise.allSettled([waiting, thread.ask('die')])])
    expect(deaths.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await thread.ask('two')).toBe('file two')
    await expect(thread.ask('exit')).rejects.toThrow('the reader ended')
    expect(await thread.ask('three')).toBe('file three')
  })

  test('rejects a request that cannot be cloned', async () => {
    const thread = begin()
    const uncloneable = [() => {}] as unknown as []
    await expect(thread.ask('one', ...uncloneable)).rejects.toThrow(/could not be cloned/)
    expect(await thread.ask('on')).toBe('file on')
  })

  test('is not started by its end', async () => {
    const thread = begin()
    await thread.close()
    await expect(thread.ask('one')).rejects.toThrow('the reader is closed')
  })
})
