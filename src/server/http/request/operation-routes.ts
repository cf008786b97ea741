import { createHash } from 'node:crypto'
import type { Express, Request } from 'express'
import { z } from 'zod'
import { Refusal } from '../../catalog/errors.ts'
import { sizeAsJson } from '../../runtime/async/repeated-calls.ts'
import { type Principal, whoIs } from '../../use-cases/principal.ts'
import { parseInput, parseWholeQuery } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import type { Operation } from '../openapi/openapi-operation.ts'
import { CallKey, type InPath, pathSchema } from '../openapi/openapi-parameters.ts'
import { principalOf, requireKey } from './auth.ts'
import { jsonBody } from './body.ts'

/** Who calls an operation, and what with. */
interface Call<Path, Query, Body> {
  readonly principal: Principal
  readonly path: Path
  readonly query: Query
  readonly body: Body
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type MemberOf<Of, Name extends string> = Of extends { readonly [Each in Name]: infer Member }
  ? Member
  : undefined

type CallOf<Of extends Operation> = Call<
  InPath<Of['on']>,
  Parsed<MemberOf<Of, 'query'>>,
  Parsed<MemberOf<Of, 'body'>>
>

/** The body of the answer that is no error. */
type AnswerOf<Of> = Of extends { readonly answers: infer Answers }
  ? {
      [Status in keyof Answers]: Answers[Status] extends readonly [z.ZodType, ...unknown[]]
        ? z.output<Answers[Status][0]>
        : never
    }[keyof Answers]
  : object

/** Where routes are added. */
interface Api {
  readonly app: Express
  readonly context: ApiContext
  /** Throws for a body that is refused before it is parsed. */
  readonly check?: (body: unknown) => void
}

/** Adds the route of an operation that needs a key, as it is described. `handle` returns the body of the answer. */
export function addRoute<Of extends Operation>(
  { app, context, check }: Api,
  operation: Of,
  handle: (call: CallOf<Of>) => Promise<AnswerOf<Of>>,
): void {
  const { id, method, path, scope, body, bodyIsOptional, answers } = operation
  if (scope === null) throw new Error(`${id} needs no key`)
  const inPath = pathSchema(path)
  const status = Number(Object.keys(answers).find((each) => each.startsWith('2')))
  const before = [requireKey(context, scope), ...(body === undefined ? [] : [jsonBody])]
  app[method](path.replace(/\{(\w+)\}/g, ':$1'), ...before, async (request, response) => {
    // Some clients send no body with DELETE.
    const sent = bodyIsOptional ? { ...request.query, ...Object(request.body) } : request.body
    check?.(sent)
    const call = callOf(operation, request, inPath, sent)
    response.status(status).json(await runOnce(context, operation, request, () => handle(call)))
  })
}

const NAME = 'Idempotency-Key'

/** Runs a change that the caller has named once, however often it is sent. Throws `idempotency_key_reused`. */
async function runOnce<Answer>(
  { repeats }: ApiContext,
  { id, method }: Operation,
  request: Request,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const sent = request.get(NAME)
  if (method === 'get' || sent === undefined) return await run()
  const { [NAME]: key } = parseInput(z.object({ [NAME]: CallKey }), { [NAME]: sent })
  const content = createHash('sha256')
    .update(JSON.stringify([id, request.params, request.query, request.body]))
    .digest('base64')
  const named = { who: whoIs(principalOf(request)), key, content }
  const found = await repeats.run(named, run, sizeAsJson)
  if (typeof found === 'object') return found.outcome
  throw new Refusal({ code: 'idempotency_key_reused' })
}

function callOf<Of extends Operation>(
  operation: Of,
  request: Request,
  inPath: z.ZodObject,
  sent: unknown,
): CallOf<Of>
function callOf(
  { query, body, bodyIsOptional }: Operation,
  request: Request,
  inPath: z.ZodObject,
  sent: unknown,
): Call<unknown, unknown, unknown> {
  return {
    principal: principalOf(request),
    path: parseInput(inPath, request.params),
    query: query && !bodyIsOptional ? parseWholeQuery(query, request.query) : undefined,
    body: body && parseInput(body, sent),
  }
}
