import {
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import {
  LogDescriptor,
  LogFile,
  type LogTarget,
} from '../../../../src/server/runtime/log/log-file.ts'
import { LogWriter } from '../../../../src/server/runtime/log/log-writer.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import {
  canMount,
  fillDisk,
  freeDisk,
  NO_SMALL_DISK,
  smallDisk,
} from '../../../support/builders/small-disk.ts'
import { eventually } from '../../../support/eventually.ts'

const FULL = '/dev/full'
const ROOMY = { maxBytes: 1_000_000, keep: 3 }

function logFile(file: string, options = ROOMY): LogFile {
  const target = new LogFile(file, options)
  onTestFinished(() => target.close())
  return target
}

const unwritable = (detail: RegExp) => ({
  code: 'unwritable',
  detail: expect.stringMatching(detail),
})

function line(n: number, filler = ''): string {
  return `${JSON.stringify({ n, filler })}\n`
}

// biome-ignore lint/suspicious/noExplicitAny: a line is whatever was logged
function linesIn(file: string): any[] {
  const text = readFileSync(file, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((one) => JSON.parse(one))
}

test('files are set aside when they are full, and the oldest are deleted', async () => {
  const file = join(temporaryFolder(), 'logs', 'server.log')
  for (const from of [0, 50]) {
    // The second goes on where the first, of a process that has ended, left off.
    const writer = new LogWriter(logFile(file, { maxBytes: 1_000, keep: 3 }))
    for (let n = from; n < from + 50; n++) {
      writer.write(line(n, 'x'.repeat(60)))
      await writer.settled()
    }
    expect(writer.health).toEqual({ lost: 0, failure: null })
  }
  expect(existsSync(`${file}.3`)).toBe(false)
  const kept = [`${file}.2`, `${file}.1`, file]
  for (const name of kept) expect(readFileSync(name).length).toBeLessThanOrEqual(1_000)
  const numbers = kept.flatMap(linesIn).map(({ n }) => n)
  expect(numbers.at(-1)).toBe(99)
  expect(numbers).toEqual(
    Array.from({ length: numbers.length }, (_, i) => 100 - numbers.length + i),
  )
})

test('a log that cannot be opened loses lines, and reports how many when it can be opened again', async () => {
  const folder = temporaryFolder()
  // A file stands where the folder of the log should be.
  writeFileSync(join(folder, 'logs'), '')
  const file = join(folder, 'logs', 'server.log')
  const writer = new LogWriter(logFile(file))
  for (let n = 0; n < 3; n++) {
    writer.write(line(n))
    await writer.settled()
  }
  expect(writer.health).toEqual({ lost: 3, failure: unwritable(/EEXIST|ENOTDIR/) })
  rmSync(join(folder, 'logs'))
  writer.write(line(3))
  await writer.settled()
  expect(writer.health).toEqual({ lost: 3, failure: null })
  expect(linesIn(file)).toEqual([
    {
      level: 40,
      time: expect.any(Number),
      lost: 3,
      reason: expect.any(String),
      msg: expect.any(String),
    },
    { n: 3, filler: '' },
  ])
})

test('a log reports its recovery without another line', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'logs'), '')
  const writer = new LogWriter(logFile(join(folder, 'logs', 'server.log')), { retryInterval: 10 })
  writer.write(line(0))
  await writer.settled()
  rmSync(join(folder, 'logs'))
  await eventually(() => expect(writer.health.failure).toBe(null))
  expect(linesIn(join(folder, 'logs', 'server.log'))).toMatchObject([{ level: 40, lost: 1 }])
})

test('a disk that becomes full tears no line that is written later', async ({ skip }) => {
  skip(!canMount, NO_SMALL_DISK)
  const disk = smallDisk(256)
  const file = join(disk, 'server.log')
  const writer = new LogWriter(logFile(file))
  writer.write(line(0, 'x'.repeat(1_000)))
  await writer.settled()
  fillDisk(disk)
  for (let n = 1; n < 20; n++) {
    writer.write(line(n, 'x'.repeat(1_000)))
    await writer.settled()
  }
  const { lost, failure } = writer.health
  expect(failure).toEqual(unwritable(/ENOSPC/))
  expect(lost).toBeGreaterThan(0)
  freeDisk(disk)
  writer.write(line(20))
  await writer.settled()
  const texts = readFileSync(file, 'utf8').split('\n')
  const [notice, last] = texts.slice(-3).map((text) => (text === '' ? null : JSON.parse(text)))
  expect([notice, last]).toMatchObject([{ level: 40, lost }, { n: 20 }])
})

test('unread lines are counted, and take at most one mebibyte', () => {
  const unread: LogTarget = {
    prepare: () => {},
    write: () => new Promise(() => {}),
    writeSync: () => 0,
  }
  const writer = new LogWriter(unread)
  for (let n = 0; n < 2_000; n++) writer.write(line(n, 'x'.repeat(1_024)))
  expect(writer.health.lost).toBeGreaterThan(900)
  expect(writer.health.failure).toEqual({ code: 'too_many_lines' })
})

test('the end of a process waits for no log that cannot be written', () => {
  // Never closed: the writer goes on trying, and would write to the next file that gets the same number.
  const full = openSync(FULL, constants.O_WRONLY)
  const writer = new LogWriter(new LogDescriptor(full))
  writer.write(line(0))
  writer.flushSync()
  expect(writer.health).toEqual({ lost: 1, failure: unwritable(/ENOSPC/) })
  const file = join(temporaryFolder(), 'server.log')
  const working = new LogWriter(logFile(file))
  working.write(line(1))
  working.flushSync()
  expect(linesIn(file)).toMatchObject([{ n: 1 }])
})

test.skipIf(process.platform === 'win32')(
  'logs that others may read are taken from them',
  async () => {
    const file = join(temporaryFolder(), 'server.log')
    for (const name of [file, `${file}.1`]) writeFileSync(name, '', { mode: 0o644 })
    const writer = new LogWriter(logFile(file))
    writer.write(line(1))
    await writer.settled()
    expect([file, `${file}.1`].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600])
  },
)

/** A target of which each write takes some bytes, or fails after some. */
function failingTarget(outcomes: readonly { bytes: number; fails: boolean }[]) {
  let text = ''
  let step = 0
  const take = (chunk: Buffer, offset: number): number => {
    const { bytes, fails } = outcomes[step++] ?? { bytes: chunk.length, fails: false }
    if (fails) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    const part = chunk.subarray(offset, offset + bytes)
    text += part.toString('latin1')
    return part.length
  }
  const target: LogTarget = {
    prepare: () => {},
    write: async (chunk, offset) => take(chunk, offset),
    writeSync: take,
  }
  return { target, text: () => text }
}

test('after any failure, every line is written completely or counted as lost once', async () => {
  const outcome = fc.record({ bytes: fc.integer({ min: 1, max: 60 }), fails: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcome, { maxLength: 40 }),
      fc.infiniteStream(fc.nat(3)),
      async (outcomes, flushes) => {
        const { target, text } = failingTarget(outcomes)
        const writer = new LogWriter(target)
        const total = 30
        for (let n = 0; n < total; n++) {
          writer.write(line(n))
          const next = flushes.next().value
          if (next === 0) writer.flushSync()
          else if (next < 3) await writer.settled()
        }
        // The failures are used up: what comes now is written.
        for (let n = 0; n <= outcomes.length; n++) {
          writer.write(line(total + n))
          await writer.settled()
        }
        const written: number[] = []
        let reported = 0
        for (const one of text().split('\n')) {
          const { n, lost = 0 } = parsed(one)
          if (n !== undefined) written.push(n)
          reported += lost
        }
        const { lost, failure } = writer.health
        expect(failure).toBe(null)
        expect(written).toEqual([...new Set(written)].sort((a, b) => a - b))
        expect(written.length + lost).toBe(total + outcomes.length + 1)
        expect(reported).toBe(lost)
      },
    ),
  )
})

/** A line that was torn by a failed write counts as nothing. */
function parsed(text: string): { n?: number; lost?: number } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
