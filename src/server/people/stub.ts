// TEMPORARY, not committed
import { randomBytes } from 'node:crypto'
export function stubPeople(): any {
  const accounts = new Map<string, any>()
  const sessions = new Map<string, any>()
  let link: string | undefined
  const listeners = new Set<(id: string) => void>()
  const begin = (account: any) => {
    const token = randomBytes(32).toString('base64url')
    const session = {
      id: token.slice(0, 8),
      account,
      expiresAt: new Date(Date.now() + 8.64e7).toISOString(),
    }
    sessions.set(token, session)
    return { token, session }
  }
  return {
    hasAccounts: () => accounts.size > 0,
    async createSetupLink() {
      link = randomBytes(16).toString('base64url')
      return { token: link, expiresAt: '' }
    },
    lookUpLink: (t: string) =>
      t === link ? { kind: 'setup', name: null, expiresAt: '' } : undefined,
    async acceptLink(_t: string, { name, password }: any) {
      const account = {
        id: name,
        name,
        password,
        access: { server: 'administrator', apps: new Map() },
        secondFactors: [],
      }
      accounts.set(name, account)
      link = undefined
      return begin(account)
    },
    async signIn({ name, password }: any) {
      const a = accounts.get(name)
      if (a?.password !== password) throw new Error('wrong')
      return { kind: 'signed_in', ...begin(a) }
    },
    find: (t: string) => sessions.get(t),
    onSessionEnded(l: any) {
      listeners.add(l)
      return () => listeners.delete(l)
    },
    async endSession(_by: any, id: string) {
      for (const [t, s] of sessions) if (s.id === id) sessions.delete(t)
      for (const l of listeners) l(id)
    },
  }
}
