/** Who made a change. */
export interface Actor {
  readonly kind: 'key' | 'command_line' | 'console'
  /** The key's name, or the account name on this machine. */
  readonly name: string
}

/** One change of the catalog: what it was before and what it is after, as plain JSON. */
export interface AuditEntry {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly actor: Actor
  /** Dotted, the thing first: `release.published`, `release.serving_changed`, `key.revoked`. */
  readonly action: string
  readonly app: string | null
  readonly channel: string | null
  readonly version: string | null
  readonly before: unknown
  readonly after: unknown
}

export interface AuditRecord extends AuditEntry {
  readonly id: number
}

/** A release as the audit log names it; or a channel itself, without its releases, if `version` is null. */
export interface AuditPlace {
  readonly app: string
  readonly channel: string
  readonly version: string | null
}

/** Which entries of the audit log are meant. What is left out narrows nothing. */
export interface AuditFilter {
  readonly app?: string | undefined
  readonly channel?: string | undefined
  readonly actorKind?: Actor['kind'] | undefined
  /** The word that the action begins with, ahead of its dot. */
  readonly actionGroup?: string | undefined
  /** Part of any text of the entry. Letters of ASCII in either case. */
  readonly search?: string | undefined
  /** ISO 8601 with milliseconds, UTC: the first moment that counts. */
  readonly from?: string | undefined
  /** In the same form: the first moment after that does not count. */
  readonly to?: string | undefined
}

/** Entries of the audit log by their ids: those after `above`, up to `through` and with it. */
export interface AuditSpan {
  readonly above: number
  readonly through: number
}
