import type { IncomingMessage } from 'node:http'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import { type RequestHandler, Router } from 'express'
import { Refusal } from '../catalog/errors.ts'
import { commandRouter } from '../console/command-router.ts'
import { forPrincipal } from '../console/context.ts'
import { HttpError } from '../http/answer/errors.ts'
import { storedFileRoutes } from '../http/files/stored-files.ts'
import { createUploads } from '../http/files/uploads.ts'
import { keepOpen } from '../http/listener/closing.ts'
import { text } from '../http/strings.ts'
import { managesPeople } from '../people/tokens.ts'
import { requireContact, unauthenticated } from './account-context.ts'
import { callOptions, limitStrangers } from './call-limits.ts'
import { callerOf, reached, type WebConsoleParts } from './caller.ts'
import { commandLineSignInRouter } from './command-line-sign-in.ts'
import { callerSession, principalOf } from './principal.ts'

const BEARER = /^Bearer +([\w-]+)$/i

/**
 * The calls of the command line: `api/…` the procedures of the console's router that it uses, for a person, and
 * `session/…` to sign in and out, `files/…` and `uploads/…` as in the public API. With a token in `Authorization` (RFC 6750 section 2.1) and never with a cookie, so
 * that no page can send one in somebody's name.
 */
export function createCommandLine(parts: WebConsoleParts): RequestHandler {
  const { api, people } = parts
  const routes = Router()
  const sessionOf = (request: IncomingMessage) => people.find(tokenOf(request), 'command_line')
  routes.use((request, response, next) => {
    const isFile = /^\/(?:files|uploads)(?:\/|$)/.test(request.path)
    if (!isFile && request.method !== 'POST') return next('router')
    reached(request, parts)
    requireProgram(request)
    response.set('Cache-Control', 'no-store')
    request.once('end', () => keepOpen(response))
    next()
  })
  routes.use(limitStrangers(parts, sessionOf))
  const files = {
    get updates() {
      return parts.console().updates
    },
    failures: api.failures,
    principalOf(request: IncomingMessage) {
      api.contact.require()
      const session = sessionOf(request)
      if (session === undefined) throw new Refusal({ code: 'sign_in_needed' })
      return principalOf(session, callerOf(request, parts))
    },
  }
  routes.use('/files', storedFileRoutes(files))
  routes.use('/uploads', createUploads(files))
  const options = callOptions(parts, 'command line procedure failed')
  routes.use(
    '/api',
    createExpressMiddleware({
      ...options,
      router: commandRouter,
      createContext({ req }) {
        requireContact(parts)
        const session = sessionOf(req)
        if (session === undefined) throw unauthenticated()
        const caller = callerOf(req, parts)
        const granted = { people, caller, managesPeople: managesPeople(tokenOf(req)) }
        const own = callerSession(session, granted)
        return forPrincipal(parts.console(), principalOf(session, caller), own)
      },
    }),
  )
  routes.use(
    '/session',
    createExpressMiddleware({
      ...options,
      router: commandLineSignInRouter,
      createContext({ req }) {
        requireContact(parts)
        const { contact } = api
        return { people, contact, caller: callerOf(req, parts), session: sessionOf(req) }
      },
    }),
  )
  return routes
}

/** Throws 403 for what a browser sends. */
function requireProgram({ headers }: IncomingMessage): void {
  if (headers.origin === undefined && headers.cookie === undefined) return
  throw new HttpError(403, text.console.programsOnly)
}

/** Empty: none. */
function tokenOf({ headers }: IncomingMessage): string {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? ''
}
