import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../src/server/http/openapi/openapi.ts'
import { ApiDescription } from '../../support/servers/api-description.ts'
import type { FuzzRequest } from '../generate/request.ts'
import { readAnswers } from '../wire/read-answers.ts'
import { answerIssues, apiIssues } from './answer.ts'
import { rawIssues } from './raw.ts'
import { ObservedReleases } from './releases.ts'

const description = new ApiDescription(openApiDocument('0.0.0'))
const json = { 'content-type': 'application/json; charset=utf-8' }
const answer = (status: number, text: string, headers: Record<string, string> = json) => ({
  status,
  text,
  headers: new Headers(headers),
})

describe('an answer is invalid', () => {
  test.each([
    ['for an internal error', answer(500, '{"error":"internal error"}')],
    ['for further members', answer(404, '{"error":"x","code":1}')],
    ['for an error that is no text', answer(404, '{"error":{}}')],
    ['for an error that is not JSON', answer(404, 'Not Found')],
    ['for another type', answer(404, '{"error":"x"}', { 'content-type': 'text/html' })],
    ['for a 400 without a path', answer(400, '{"error":"Bad Request"}')],
    ['for a 401 without its header', answer(401, '{"error":"invalid key"}')],
    ['for a 503 without Retry-After', answer(503, '{"error":"busy"}')],
  ])('%s', (_, wrong) => {
    expect(answerIssues('GET', wrong)).toHaveLength(1)
  })

  test('but not for an error as it is described', () => {
    expect(
      answerIssues('GET', answer(400, '{"error":"devices.3.version: is no version"}')),
    ).toEqual([])
    expect(answerIssues('HEAD', answer(404, ''))).toEqual([])
  })

  test('where the operation has no such status, or another body', () => {
    const request = (method: string, target: string, body: string | null = null): FuzzRequest => ({
      ...{ method, target, headers: [], body },
    })
    const check = request('GET', '/u/editor/stable/linux/x86_64/1.0.0')
    expect(apiIssues(description, check, answer(201, '{}'))).toHaveLength(1)
    expect(apiIssues(description, check, answer(204, 'x'))).toHaveLength(1)
    expect(apiIssues(description, check, answer(200, '{"version":"1.0.0"}'))).not.toEqual([])
    const report = request('POST', '/api/v1/fleet/report', '{"app":"editor"}')
    const received = answer(200, '{"app":"editor","received":1}')
    expect(apiIssues(description, report, received)).toHaveLength(1)
  })
})

describe('what comes over a connection', () => {
  const whole = (text: string) =>
    `HTTP/1.1 404 Not Found\r\nContent-Length: ${text.length}\r\n\r\n${text}`

  test('is read as it was written, whatever the bodies are', () => {
    const body = fc.string({ unit: 'grapheme-ascii', maxLength: 30 })
    fc.assert(
      fc.property(fc.array(body, { maxLength: 5 }), (bodies) => {
        const { answers, issue } = readAnswers(bodies.map(whole).join(''), [])
        expect(issue).toBeUndefined()
        expect(answers.map(({ text }) => text)).toEqual(bodies)
      }),
    )
  })

  test('is invalid where it is cut short, or is no answer', () => {
    expect(readAnswers(whole('abc').slice(0, -1), []).issue).toContain('cut short')
    expect(readAnswers(`${whole('abc')}more`, []).issue).toContain('not the head')
    expect(readAnswers('HTTP/1.1 200 OK\r\nBad Name: x\r\n\r\n', []).issue).toContain(
      'not the head',
    )
  })

  test('is invalid where a request is not answered, unless the one before ended the connection', () => {
    const connection = { pieces: [], pause: 0, methods: ['GET', 'GET'], end: 'wait' } as const
    const judge = (received: string, closed = true) => rawIssues(connection, { received, closed })
    const refused =
      'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\nContent-Length: 16\r\n\r\n{"error":"a: b"}'
    expect(judge(refused)).toEqual([])
    expect(judge(refused, false)).toHaveLength(1)
    expect(judge('HTTP/1.1 204 No Content\r\n\r\n')).toEqual(['1 of 2 requests are answered'])
    expect(judge('')).toEqual(['0 of 2 requests are answered'])
  })
})

describe('of releases nothing is taken back', () => {
  const release = { id: 'one', status: 'published', rolloutPct: 50, offered: true, notes: 'a' }

  test.each([
    ['the release is gone', []],
    ['it was lowered', [{ ...release, rolloutPct: 49 }]],
    ['it is not offered any more', [{ ...release, offered: false }]],
    ['its notes changed', [{ ...release, notes: 'b' }]],
  ])('%s', (_, now) => {
    const observed = new ObservedReleases()
    observed.observe({ release })
    expect(observed.issues(now)).toHaveLength(1)
  })

  test('it is served again after it was rolled back', () => {
    const observed = new ObservedReleases()
    observed.observe({ releases: [{ ...release, status: 'rolled_back' }] })
    expect(observed.issues([release])).toEqual(['release one: is served again'])
    expect(observed.issues([{ ...release, status: 'rolled_back', rolloutPct: 60 }])).toEqual([])
  })
})
