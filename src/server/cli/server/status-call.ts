import type { RequestOptions } from 'node:http'
import { request as requestSecure } from 'node:https'
import { ConnectionError } from '../../../remote/connection-error.ts'
import { HttpClient } from '../../../remote/http-client.ts'
import { request as requestPlain } from '../../../shared/basics/node-http.ts'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import { ReadyAnswer, STATUS_TOKEN_HEADER } from '../../../shared/operation/readiness.ts'
import { storageOf } from '../data/storage-config.ts'
import { readCredentials } from './credentials.ts'
import { endpointOf, keyOf, requireEncryption, type ServerOptions } from './options.ts'
import { type OwnServer, ownServer } from './own-server.ts'
import { PROGRAM } from './program-name.ts'
import { ApiError, errorOf, ServerUnreachable } from './remote-errors.ts'

/** Milliseconds that the server of this computer has to answer. */
const TIMEOUT = 10_000
/** Bytes of its answer. */
const MAX_ANSWER = 256 * 1_024

export interface FoundStatus {
  readonly address: string
  readonly answer: ReadyAnswer
}

/** Asks the chosen server for its state. Rejects with `ServerNotRunning`, `ServerUnreachable` and `ApiError`. */
export async function askStatus(options: ServerOptions): Promise<FoundStatus> {
  const { server } = options
  const asked = server === undefined ? await ownServer(storageOf(options)) : { address: server }
  const { address } = asked
  try {
    const ask = 'statusToken' in asked ? askOwn(asked) : askRemote(address, options)
    const { status, json } = await ask
    const answer = ReadyAnswer.safeParse(json)
    if (answer.success) return { address, answer: answer.data }
    const error = errorOf(json)
    if (error === undefined) throw new ConnectionError('not_tidegate', String(status))
    throw new ApiError(status, error)
  } catch (error) {
    throw ServerUnreachable.of(address, error)
  }
}

interface Asked {
  readonly status: number
  readonly json: unknown
}

async function askRemote(server: string, options: ServerOptions): Promise<Asked> {
  requireEncryption(server, options)
  const pin = options.fingerprint ?? readCredentials(server)?.fingerprint ?? null
  const http = new HttpClient(endpointOf(server, pin))
  const sender = { kind: 'program', name: PROGRAM, token: keyOf(options) } as const
  try {
    return await http.send(`${server}/healthz/ready`, { method: 'GET', sender })
  } finally {
    http.close()
  }
}

/** With any certificate: the token is worth nothing but to the run of the server that has noted it with its address. */
function askOwn({ address, statusToken }: OwnServer): Promise<Asked> {
  const url = new URL('/healthz/ready', address)
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    signal: AbortSignal.timeout(TIMEOUT),
    rejectUnauthorized: false,
    agent: false,
    headers: statusToken === null ? {} : { [STATUS_TOKEN_HEADER]: statusToken },
  }
  const send = url.protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(ConnectionError.of(error))
    send(url, options, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
        if (body.length > MAX_ANSWER) response.destroy(new ConnectionError('not_tidegate'))
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, json: parsedJson(body) }),
      )
      response.on('error', fail)
    })
      .on('error', fail)
      .end()
  })
}
