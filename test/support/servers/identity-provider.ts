import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { onTestFinished } from 'vitest'

/** The registration of this server at the provider. */
export const CLIENT = { clientId: 'tidegate', clientSecret: 'a-secret-of-the-test' } as const
export const REDIRECT_URI = 'http://127.0.0.1:8440/console/sign-on'

/** What servers, as opposed to browsers, ask a provider. */
export interface ProviderTraffic {
  /** The paths of their calls. */
  readonly asked: string[]
  /** Whether the provider answers nothing but 503. */
  isFailing: boolean
}

/** Starts an identity provider until the test has ended. */
export async function startProvider(redirectUri = REDIRECT_URI, traffic?: ProviderTraffic) {
  const { stop, ...provider } = await openProvider(redirectUri, traffic)
  onTestFinished(stop)
  return provider
}

/** Starts a real identity provider on a port of this computer, where whoever comes signs in as they like. */
export async function openProvider(redirectUri: string, traffic?: ProviderTraffic) {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const issuer = `http://127.0.0.1:${address.port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret },
        ...{ redirect_uris: [redirectUri], response_types: ['code'] },
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    cookies: { keys: ['a-key-of-the-test'] },
  })
  const answer = provider.callback()
  http.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer)
    if (['/token', '/.well-known/openid-configuration'].includes(pathname))
      traffic?.asked.push(pathname)
    if (traffic?.isFailing) response.writeHead(503).end()
    else answer(request, response)
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve())
      http.closeAllConnections()
    })
  return { issuer, ...CLIENT, stop }
}

/**
 * Signs in at the provider as a browser does, or comes back at once with the cookies of an earlier sign-in there. Returns
 * the query that the provider sends the browser back with.
 */
export async function signInAtProvider(
  url: string,
  login: string,
  cookies = new Map<string, string>(),
): Promise<URLSearchParams> {
  let [next, body]: [string, URLSearchParams | undefined] = [url, undefined]
  for (let step = 0; step < 20; step += 1) {
    if (new URL(next).pathname.endsWith('/sign-on')) return new URL(next).searchParams
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response: Response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie },
      ...(body === undefined ? {} : { method: 'POST', body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    const location = response.headers.get('location')
    if (location !== null) {
      ;[next, body] = [new URL(location, next).href, undefined]
      continue
    }
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(text) ?? []
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(text) ?? []
    if (action === undefined) throw new Error(`the provider answered ${response.status}: ${text}`)
    ;[next, body] = [
      new URL(action, next).href,
      new URLSearchParams({ prompt, login, password: 'any' }),
    ]
  }
  throw new Error('the provider asks without end')
}
