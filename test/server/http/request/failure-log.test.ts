import { pino } from 'pino'
import { expect, test } from 'vitest'
import { FailureLog } from '../../../../src/server/http/request/failure-log.ts'

test('a failure that repeats is logged ten times a minute, with how often it was left out', () => {
  const lines: { msg: string; path?: string; leftOut?: number; err: { message: string } }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const time = { now: 0 }
  const failures = new FailureLog(pino({}, stream), () => time.now)
  const cause = new Error('disk full')
  for (let count = 0; count < 100; count += 1) failures.error(cause, 'failed', { path: '/x' })
  expect(lines).toHaveLength(10)
  expect(lines[0]).toMatchObject({ msg: 'failed', path: '/x', err: { message: 'disk full' } })
  expect(lines.some((line) => 'leftOut' in line)).toBe(false)
  failures.error(cause, 'another')
  expect(lines.at(-1)?.msg).toBe('another')
  time.now += 6_000
  failures.error(cause, 'failed')
  expect(lines.at(-1)).toMatchObject({ msg: 'failed', leftOut: 90 })
  time.now += 6_000
  failures.error(cause, 'failed')
  expect(lines.at(-1)?.leftOut).toBeUndefined()
  expect(lines).toHaveLength(13)
})
