import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import type { Scope } from '../../../shared/access/key.ts'
import { STATUS_TOKEN_HEADER } from '../../../shared/operation/readiness.ts'
import { Refusal } from '../../catalog/errors.ts'
import { findKey } from '../../catalog/keys.ts'
import type { KeyRecord } from '../../catalog/records.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { accountName } from '../../runtime/account.ts'
import { accessOfKey, FULL_ACCESS } from '../../use-cases/access.ts'
import { type Principal, personOfUser } from '../../use-cases/principal.ts'
import { HttpError } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { text } from '../strings.ts'
import { callerAddress } from './address.ts'
import { rateLimitError, rateLimitHeaders } from './rate-limit.ts'

/** What keys are checked with. */
type KeyContext = Pick<ApiContext, 'catalog' | 'updates' | 'limits' | 'trustProxy'>

const BEARER = /^Bearer +(\S+)$/i
const keys = new WeakMap<Request, KeyRecord>()
/** Requests of a command of this computer. */
const local = new WeakSet<Request>()

/** Accepts requests with a valid key that has the scope. The key's rate limit is checked before the database is reached. */
export function requireKey(context: KeyContext, scope: Scope): RequestHandler {
  const { catalog, updates } = context
  return async (request, response, next) => {
    const secret = BEARER.exec(request.headers.authorization ?? '')?.[1]
    const known = secret === undefined ? undefined : findKey(catalog.snapshot, secret)
    if (known === undefined) limitRejected(context, request)
    else await limitKey(context, known, response)
    if (secret === undefined) throw rejection(text.missingKey)
    // Another process may have just created or revoked the key.
    const snapshot = await catalog.refresh()
    const key = findKey(snapshot, secret)
    if (key === undefined) throw rejection(text.invalidKey)
    if (known === undefined) await limitKey(context, key, response)
    if (!key.scopes.includes(scope)) {
      throw new HttpError(403, text.missingScope(scope))
    }
    refuseArchived(snapshot, key)
    updates.noteKeyUse(key.id)
    keys.set(request, key)
    next()
  }
}

/** Accepts requests of a command that can read the data folder as well. */
export function requireKeyOrLocal(context: ApiContext, scope: Scope): RequestHandler {
  const check = requireKey(context, scope)
  return (request, response, next) => {
    if (!hasStatusToken(request, context)) return check(request, response, next)
    local.add(request)
    next()
  }
}

/** Returns the key that a request was accepted with, if any. */
export function keyOf(request: Request): KeyRecord | undefined {
  return keys.get(request)
}

/** Who a request acts as: the key, which sees its app alone, if it has one; or a command of this computer. */
export function principalOf(request: Request): Principal {
  if (local.has(request)) return localPrincipal()
  const key = keys.get(request)
  if (key === undefined) throw new Error('a route that asks for the principal must require a key')
  const { id, name, prefix, appKey, bypassApproval } = key
  return {
    actor: { kind: 'key', name, keyPrefix: prefix },
    keyId: id,
    access: accessOfKey(appKey),
    seesArchived: false,
    bypassesApproval: bypassApproval,
  }
}

function localPrincipal(): Principal {
  const name = accountName()
  const actor = { kind: 'command_line', name } as const
  return { actor, access: FULL_ACCESS, seesArchived: true, person: personOfUser(name) }
}

/** The key of an archived app has nothing that it could see. */
function refuseArchived({ appByKey }: Snapshot, { appKey }: KeyRecord): void {
  const app = appKey === null ? undefined : appByKey.get(appKey)?.record
  if (app === undefined || app.archivedAt === null) return
  throw new Refusal({ code: 'unknown_app', app: app.ref })
}

async function limitKey({ limits }: KeyContext, { id }: KeyRecord, response: Response) {
  if (!limits.key.enabled) return
  const verdict = await limits.key.take(`key:${id}`)
  if (!verdict.allowed) throw rateLimitError(verdict)
  response.set(rateLimitHeaders(verdict))
}

function limitRejected(context: KeyContext, request: Request): void {
  const verdict = context.limits.rejectedKey.take(callerAddress(request, context))
  if (!verdict.allowed) throw rateLimitError(verdict)
}

function rejection(message: string): HttpError {
  return new HttpError(401, message, { 'WWW-Authenticate': 'Bearer' })
}

/** Returns whether a request has the status token of this run, which shows that its caller can read the data folder. */
export function hasStatusToken(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { statusToken }: Pick<ApiContext, 'statusToken'>,
): boolean {
  const given = headers[STATUS_TOKEN_HEADER]
  // As hashes, because only values of one length are compared in constant time.
  return typeof given === 'string' && timingSafeEqual(hashOf(given), hashOf(statusToken))
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
