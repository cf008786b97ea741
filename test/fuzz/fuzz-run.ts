import fc from 'fast-check'
import { ApiDescription } from '../support/servers/api-description.ts'
import { apiRequests } from './generate/api-requests.ts'
import { namesOf } from './generate/names.ts'
import { type RawConnection, rawConnections } from './generate/raw-connections.ts'
import { type FuzzRequest, toWire } from './generate/request.ts'
import { isSchema } from './generate/schema-values.ts'
import { apiIssues, refusalOfFitting } from './judge/answer.ts'
import { rawIssues } from './judge/raw.ts'
import { ObservedReleases } from './judge/releases.ts'
import type { FuzzedServer, MemoryUse } from './server/fuzzed-server.ts'
import { exchange } from './wire/exchange.ts'
import { readAnswers, type WireAnswer } from './wire/read-answers.ts'

/** Maximum simultaneous requests. */
const AT_ONCE = 8
/** Approximate minimum of requests per run of the property: it sends one to eight, some of which consist of many. */
const FEWEST_PER_RUN = 4
/** Runs of the property between two reports of the progress. */
const ROUND = 500
/** Kinds of failures after which the run stops. */
const ENOUGH = 10
/** Milliseconds after which a connection times out: at first, and while a failure is minimized. */
const PATIENCE = 30_000
const LESS_PATIENCE = 1_500

export interface SendOptions {
  readonly seed: number
  readonly requests: number
  /** Called regularly with the number of requests sent and the memory that the server uses. */
  onProgress?(requests: number, memory: MemoryUse): void
}

export interface FuzzFailure {
  readonly issues: readonly string[]
  /** The smallest failing request found, as JSON. */
  readonly sent: string
}

type Sent =
  | { readonly kind: 'api'; readonly request: FuzzRequest }
  | { readonly kind: 'raw'; readonly connection: RawConnection }

interface Outcome {
  readonly sent: Sent | readonly Sent[]
  readonly issues: readonly string[]
}

/** Sends requests to one server and collects the failures. */
export class FuzzRun {
  readonly observed = new ObservedReleases()
  readonly failures: FuzzFailure[] = []
  readonly statuses = new Map<number, number>()
  readonly refused = new Map<string, number>()
  slowest = { ms: 0, sent: '' }
  requests = 0
  readonly #server: FuzzedServer
  readonly #description: ApiDescription
  readonly #sent: fc.Arbitrary<readonly Sent[]>
  readonly #known = new Set<string>()
  #patience = PATIENCE

  private constructor(server: FuzzedServer, document: Readonly<Record<string, unknown>>) {
    this.#server = server
    this.#description = new ApiDescription(document)
    const one: fc.Arbitrary<Sent> = fc.oneof(
      {
        weight: 3,
        arbitrary: apiRequests(document, namesOf(server.facts)).map((request) => ({
          kind: 'api' as const,
          request,
        })),
      },
      {
        weight: 1,
        arbitrary: rawConnections.map((connection) => ({ kind: 'raw' as const, connection })),
      },
    )
    // The first twice, as clients do that lose an answer: what it creates exists by then, which chance alone seldom brings about.
    this.#sent = fc
      .array(one, { minLength: 1, maxLength: AT_ONCE - 1, size: 'max' })
      .map(([first, ...others]) => (first === undefined ? [] : [first, first, ...others]))
  }

  static async on(server: FuzzedServer): Promise<FuzzRun> {
    const answer = await fetch(`http://127.0.0.1:${server.facts.port}/api/v1/openapi.json`)
    const document: unknown = await answer.json()
    if (!isSchema(document)) throw new Error('The server has no OpenAPI document')
    return new FuzzRun(server, document)
  }

  /** Sends at least that many requests, unless there are enough kinds of failures before. */
  async send({ seed, requests, onProgress }: SendOptions): Promise<void> {
    for (let round = 0; this.requests < requests; round++) {
      if (this.failures.length >= ENOUGH || !this.#server.isAlive) break
      this.#patience = PATIENCE
      const property = fc.asyncProperty(this.#sent, (sent) => this.#batch(sent))
      const numRuns = Math.min(ROUND, Math.ceil((requests - this.requests) / FEWEST_PER_RUN))
      const result = await fc.check(property, { seed: seed + round, numRuns })
      if (onProgress !== undefined && this.#server.isAlive) {
        onProgress(this.requests, await this.#server.memory())
      }
      if (!result.failed) continue
      const { errorInstance } = result
      if (!(errorInstance instanceof FoundIssue)) throw errorInstance
      this.#known.add(errorInstance.kind)
      this.failures.push(errorInstance.failure)
    }
  }

  async #batch(all: readonly Sent[]): Promise<void> {
    const outcomes = await Promise.all(
      all.map(async (sent): Promise<Outcome> => ({ sent, issues: await this.#one(sent) })),
    )
    if (!this.#server.isAlive) outcomes.push({ sent: all, issues: ['the server ended'] })
    for (const { sent, issues } of outcomes) {
      const fresh = issues.filter((issue) => !this.#known.has(kindOf(issue)))
      const [first] = fresh
      if (first === undefined) continue
      this.#patience = LESS_PATIENCE
      throw new FoundIssue(kindOf(first), { issues: fresh, sent: JSON.stringify(sent, null, 1) })
    }
  }

  async #one(sent: Sent): Promise<string[]> {
    const began = performance.now()
    const issues =
      sent.kind === 'api' ? await this.#api(sent.request) : await this.#raw(sent.connection)
    const ms = performance.now() - began
    if (ms > this.slowest.ms) this.slowest = { ms, sent: JSON.stringify(sent) }
    return issues
  }

  async #api(request: FuzzRequest): Promise<string[]> {
    this.requests += 1
    const pieces = [toWire(request, true)]
    const { port } = this.#server.facts
    const exchanged = await exchange(port, { pieces, pause: 0, end: 'wait' }, this.#patience)
    const { answers, issue } = readAnswers(exchanged.received, [request.method])
    const [answer] = answers
    if (answer === undefined || answers.length > 1 || issue !== undefined || !exchanged.closed) {
      return [issue ?? `${answers.length} answers to one request`]
    }
    this.#learn(request, answer)
    return apiIssues(this.#description, request, answer)
  }

  async #raw(connection: RawConnection): Promise<string[]> {
    this.requests += connection.methods?.length ?? 1
    const { port } = this.#server.facts
    return rawIssues(connection, await exchange(port, connection, this.#patience))
  }

  #learn(request: FuzzRequest, answer: WireAnswer): void {
    const { status, text } = answer
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status < 300 && text.startsWith('{"release')) this.observed.observe(JSON.parse(text))
    const refusal = refusalOfFitting(this.#description, request, answer)
    if (refusal === undefined) return
    const message = kindOf(refusal)
    this.refused.set(message, (this.refused.get(message) ?? 0) + 1)
  }
}

class FoundIssue extends Error {
  readonly kind: string
  readonly failure: FuzzFailure

  constructor(kind: string, failure: FuzzFailure) {
    super(failure.issues.join('\n'))
    this.kind = kind
    this.failure = failure
  }
}

/** Returns an issue without the parts that differ between runs. */
function kindOf(issue: string): string {
  return issue
    .replace(/\d+ of \d+/g, 'N of N')
    .replace(/([/.])\d+/g, '$1N')
    .slice(0, 160)
}
