import type { RequestHandler, Response } from 'express'
import type { RefusalFacts } from '../../shared/refusal.ts'
import { refusalSentence } from '../../shared/wording/refusals/refusal.ts'
import { invalid, Refusal } from '../catalog/errors.ts'
import { HttpError, RETRY_AFTER } from '../http/answer/errors.ts'
import { sendPage } from '../http/answer/plain-page.ts'
import { rateLimitHeaders } from '../http/request/rate-limit.ts'
import { text } from '../http/strings.ts'
import type { SingleSignOn } from '../people/provider/single-sign-on.ts'
import type { AccountContext } from './account-context.ts'
import { refusedStranger } from './call-limits.ts'
import { browserCaller, reached, type WebConsoleParts } from './caller.ts'
import { setKnownBrowser, setSessionCookie, setSignOn, signOnOf } from './cookies.ts'

/** Where the identity provider sends browsers back to, from the console's page. */
export const SIGN_ON_PATH = 'sign-on'

/** Begins a round trip for a page at `page` once `confirm` allows it. Returns its address. Throws `single_sign_on_failed`, `invalid`. */
export async function beginSignOn(
  { people, site, keepSignOn }: AccountContext,
  page: string,
  purpose: Parameters<SingleSignOn['begin']>[1],
  confirm: () => Promise<unknown> = async () => {},
): Promise<{ readonly url: string }> {
  if (people.singleSignOn === null) throw new Refusal({ code: 'single_sign_on_failed' })
  const redirectUri = redirectUriOf(page, site.origin)
  await confirm()
  const { url, roundTrip } = await people.singleSignOn.begin(redirectUri, purpose)
  keepSignOn(roundTrip)
  return { url }
}

/** Returns where the provider sends the browser back to, for a page at `page`. Throws `invalid` for another origin. */
function redirectUriOf(page: string, origin: string): string {
  const { origin: own, pathname } = new URL(page)
  if (own !== origin) throw invalid({ path: ['page'], reason: `must be a page of ${origin}` })
  return new URL(SIGN_ON_PATH, `${own}${pathname}`).href
}

/**
 * Answers who comes back from the identity provider (OpenID Connect Core 1.0, section 3.1.2.5): with a session, with
 * the person's own account where it was linked, a page that says so where it confirmed a session, or with the facts of the refusal in the fragment of the page's
 * address, which no server is sent.
 */
export function finishSignOn(parts: WebConsoleParts): RequestHandler {
  const { people } = parts
  return async (request, response) => {
    const by = reached(request, parts)
    const { singleSignOn } = people
    const refused = refusedStranger(request, parts)
    if (refused !== undefined) {
      await parts.holdBack.wait()
      const message = text.console.signOnLater.limited(refused.retrySeconds)
      askAgain(response.status(429).set(rateLimitHeaders(refused)), message)
      return
    }
    if (singleSignOn === null) throw new HttpError(404, text.unknownRoute('GET', request.path))
    if (!parts.api.contact.mayServe()) {
      response.status(503).set('Retry-After', String(RETRY_AFTER))
      askAgain(response, text.console.signOnLater.outOfContact)
      return
    }
    const { searchParams } = new URL(request.originalUrl, by.origin)
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    const roundTrip = signOnOf(request, by) ?? ''
    setSignOn(response, by, null)
    try {
      const caller = browserCaller(request, by, parts)
      const result = await singleSignOn.finish(searchParams, roundTrip, caller)
      // The next request may reach another server, which has to know the session.
      await parts.api.contact.isConfirmed()
      if (result.kind === 'linked') {
        // The session that began it goes on.
        response.redirect(303, './#/account')
        return
      }
      if (result.kind === 'confirmation') {
        sayConfirmed(response, result.refusal)
        return
      }
      const { token, session, browser } = result
      setSessionCookie(response, by, { token, expiresAt: session.expiresAt })
      setKnownBrowser(response, by, browser)
      response.redirect(303, './')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      response.redirect(303, `./${fragmentOf(error.facts)}`)
    }
  }
}

/** The page that waits for it is in another tab. */
function sayConfirmed(response: Response, refusal: Refusal | null): void {
  const { title, message } = text.console.confirmation(
    refusal === null ? null : refusalSentence(refusal.facts),
  )
  sendPage(response.status(refusal === null ? 200 : 403), title, `<p>${message}</p>`)
}

/** Nothing of the sign-in is used up: the same address works a moment later. */
function askAgain(response: Response, message: string): void {
  const { title, again } = text.console.signOnLater
  response.set('Cache-Control', 'no-store')
  sendPage(response, title, `<p>${message}</p>\n<p><a href="">${again}</a></p>`)
}

function fragmentOf(facts: RefusalFacts): string {
  return `#/sign-on/${encodeURIComponent(JSON.stringify(facts))}`
}
