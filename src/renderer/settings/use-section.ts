import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { ServerSettings, SettingsSaved, SettingsView } from '../../shared/console/settings.ts'
import { shell, shellClient } from '../bridge/clients.ts'
import { ConsoleError } from '../bridge/error.ts'
import { queryClient } from '../bridge/query-client.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { announce } from '../components/change/announce.ts'
import { focusFirstFault } from '../components/dialog/keep-focus.ts'
import { type Issues, readSection } from './read-section.ts'
import { startIssues } from './start-issues.ts'
import { settingIssueText, text } from './strings.ts'
import { useUnsaved } from './unsaved.tsx'

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
  const [refused, setRefused] = useState(NONE)
  const [error, setError] = useState<unknown>(null)
  /** A new object each time: the same form may have faults again. */
  const [faulty, setFaulty] = useState<{ readonly form: HTMLFormElement }>()
  // Not before what is wrong is on the screen.
  useEffect(() => {
    if (faulty !== undefined) focusFirstFault(faulty.form)
  }, [faulty])
  const save = useMutation(shell.shell.saveSettings.mutationOptions())
  const state = useServerState()
  const isDraft = (settings: ServerSettings[Name] | undefined) =>
    settings !== undefined && JSON.stringify(draft) === JSON.stringify(toDraft(settings))
  const unsaved = !isDraft(saved)
  // What was attempted is kept, also when the screen is left.
  useUnsaved(name, unsaved && !isDraft(attempted))
  const read = readSection(schema, toInput(draft))

  const failure = attemptedFailure()
  const started = failure === undefined ? NONE : startIssues(name, failure)
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

  const forget = () => {
    setRefused(NONE)
    setError(null)
  }
  const change = (part: Partial<Draft>) => {
    forget()
    setDraft({ ...draft, ...part })
  }
  const submit = async (form: HTMLFormElement) => {
    setTried(true)
    forget()
    if (!read.ok) return setFaulty({ form })
    const { value } = read
    try {
      const result = await save.mutateAsync({ [name]: value })
      if (!result.ok) {
        refuse(result)
        return setFaulty({ form })
      }
      setTried(false)
      await queryClient.invalidateQueries(shell.shell.settings.pathFilter())
      // What was typed since stays.
      setDraft((current) => (current === draft ? toDraft(value) : current))
      announce(result.restarts ? text.saved : text.nothingToSave)
    } catch (failed) {
      setError(failed)
    }
  }
  const refuse = ({ field, issue }: Extract<SettingsSaved, { ok: false }>) => {
    const message = settingIssueText(issue)
    if (field.startsWith(`${name}.`)) {
      setRefused(new Map([[field.slice(name.length + 1), message]]))
    } else {
      const label = field.endsWith('keyFile') ? text.key : text.certificate
      setError(new ConsoleError('invariant', `${label} ${message}`))
    }
  }
  const discard = () => {
    setTried(false)
    forget()
    setDraft(toDraft(saved))
    if (attempted === undefined) return
    void shellClient.shell.discardNotApplied
      .mutate({ section: name })
      .then(() => queryClient.invalidateQueries(shell.shell.settings.pathFilter()))
      .catch(setError)
  }
  return {
    draft,
    change,
    submit,
    discard,
    unsaved,
    issues,
    pending: save.isPending,
    error,
    valid: read.ok,
  }
}
