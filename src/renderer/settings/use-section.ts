import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { ServerSettings, SettingsView } from '../../shared/console/settings/settings.ts'
import type { StartFailure } from '../../shared/operation/start-failure.ts'
import { shellClient } from '../bridge/clients.ts'
import { ConsoleError } from '../bridge/error.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { useChange } from '../components/change/use-change.ts'
import { focusFirstFault } from '../components/dialog/keep-focus.ts'
import { FIELD_LABELS, settingIssueText, tlsFailureText } from './issue-strings.ts'
import { type Issues, readSection } from './read-section.ts'
import { useUnsaved } from './section-form.tsx'
import { text } from './strings.ts'

const NONE: Issues = new Map()

interface Options<Name extends keyof ServerSettings, Draft> {
  readonly name: Name
  readonly schema: z.ZodType<ServerSettings[Name]>
  readonly view: SettingsView
  readonly toDraft: (saved: ServerSettings[Name]) => Draft
  /** What the schema is to read. */
  readonly toInput: (draft: Draft) => unknown
}

/**
 * One section of the server's settings as a form: what is typed, what is wrong, and saving it. A draft with which
 * the server did not start stays, with what kept the server from starting.
 */
export function useSection<Name extends keyof ServerSettings, Draft>(
  options: Options<Name, Draft>,
) {
  const { name, schema, view, toDraft, toInput } = options
  const saved = view.settings[name]
  const { notApplied } = view
  const attempted = notApplied?.sections.includes(name) ? notApplied.settings[name] : undefined
  const [draft, setDraft] = useState(() => toDraft(attempted ?? saved))
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  /** A new object for each attempt: the same form may have faults again. */
  const [faulty, setFaulty] = useState<object>()
  const save = useChange(
    async (sent: { readonly value: ServerSettings[Name]; readonly draft: Draft }) => ({
      sent,
      restarts: await saveSection(name, sent.value),
    }),
    {
      done: ({ restarts }) => (restarts ? text.saved : text.nothingToSave),
      failed: text.notSaved,
      onAnswer: ({ sent }) => {
        setTried(false)
        // What was typed since stays.
        setDraft((current) => (current === sent.draft ? toDraft(sent.value) : current))
      },
    },
  )
  const discarded = useChange(
    (_: undefined) => shellClient.shell.discardNotApplied.mutate({ section: name }),
    { failed: text.notSaved },
  )
  const state = useServerState()
  const isDraft = (settings: ServerSettings[Name] | undefined) =>
    settings !== undefined && JSON.stringify(draft) === JSON.stringify(toDraft(settings))
  const unsaved = !isDraft(saved)
  // What was attempted is kept, also when the screen is left.
  useUnsaved(name, unsaved && !isDraft(attempted))
  const read = readSection(schema, toInput(draft))

  const failure = attemptedFailure()
  const started = failure === undefined ? NONE : startIssues(name, failure)
  const refused = save.error instanceof SettingRefused ? save.error.issues : NONE
  const refusals = refused.size > 0 ? refused : started
  const issues = tried && !read.ok ? read.issues : refusals

  const [shown, setShown] = useState(attempted)
  useEffect(() => {
    if (shown === attempted) return
    setShown(attempted)
    // Discarded elsewhere: only what nobody has changed since.
    if (attempted === undefined && isDraft(shown)) setDraft(toDraft(saved))
  })

  function attemptedFailure() {
    if (notApplied !== null && isDraft(attempted)) return notApplied.failure
    return state.state === 'failed' && !unsaved ? state.failure : undefined
  }

  const fault = save.error ?? faulty
  // Not before what is wrong is on the screen.
  useEffect(() => {
    if (fault !== undefined && form.current !== null) focusFirstFault(form.current)
  }, [fault])

  const forget = () => {
    setFaulty(undefined)
    save.reset()
    discarded.reset()
  }
  const change = (part: Partial<Draft>) => {
    forget()
    setDraft({ ...draft, ...part })
  }
  const submit = (submitted: HTMLFormElement) => {
    form.current = submitted
    setTried(true)
    forget()
    if (read.ok) save.send({ value: read.value, draft })
    else setFaulty({})
  }
  const discard = () => {
    setTried(false)
    forget()
    setDraft(toDraft(saved))
    if (attempted !== undefined) discarded.send(undefined)
  }
  return {
    draft,
    change,
    submit,
    discard,
    unsaved,
    issues,
    pending: save.isPending,
    error: (refused.size > 0 ? null : save.error) ?? discarded.error,
    valid: read.ok,
  }
}

/** Returns which field of a section kept the server from starting, and how to fix it. */
function startIssues(section: keyof ServerSettings, failure: StartFailure): Issues {
  switch (failure.code) {
    case 'port_in_use':
    case 'port_forbidden':
      return only(section === 'address', 'port', settingIssueText(failure))
    case 'unknown_address':
      return only(section === 'address', 'host', settingIssueText(failure))
    case 'tls':
      return only(section === 'security', 'tls.certFile', tlsFailureText(failure.detail))
    case 'storage':
    case 'ended':
    case 'other':
      return new Map()
    default:
      return failure satisfies never
  }
}

function only(isHere: boolean, path: string, issue: string): Issues {
  return isHere ? new Map([[path, issue]]) : new Map()
}

/** A setting that cannot be used. The message names the field. */
class SettingRefused extends ConsoleError {
  /** The field, if it belongs to the section that was saved. */
  readonly issues: Issues

  constructor(message: string, issues: Issues) {
    super('invariant', message)
    this.issues = issues
  }
}

/** Saves a section and returns whether the server restarts with it. Throws `SettingRefused` if it cannot be used. */
async function saveSection<Name extends keyof ServerSettings>(
  name: Name,
  value: ServerSettings[Name],
): Promise<boolean> {
  const saved = await shellClient.shell.saveSettings.mutate({ [name]: value })
  if (saved.ok) return saved.restarts
  const { field } = saved
  const issue = settingIssueText(saved.issue)
  const isHere = field.startsWith(`${name}.`)
  throw new SettingRefused(
    `${FIELD_LABELS[field] ?? field} ${issue}`,
    isHere ? new Map([[field.slice(name.length + 1), issue]]) : new Map(),
  )
}
