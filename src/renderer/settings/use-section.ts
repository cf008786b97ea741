import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { ServerSettings } from '../../shared/console/settings.ts'
import { shell } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { announce } from '../components/announce.ts'
import { focusFirstFault } from '../components/keep-focus.ts'
import { type Issues, readSection } from './read-section.ts'
import { settingIssueText } from './strings.ts'
import { useUnsaved } from './unsaved.tsx'

const NONE: Issues = new Map()

interface Options<Name extends keyof ServerSettings, Draft> {
  readonly name: Name
  readonly schema: z.ZodType<ServerSettings[Name]>
  readonly saved: ServerSettings[Name]
  readonly toDraft: (saved: ServerSettings[Name]) => Draft
  /** What the schema is to read. */
  readonly toInput: (draft: Draft) => unknown
}

/** One section of the server's settings as a form: what is typed, what is wrong, and saving it. */
export function useSection<Name extends keyof ServerSettings, Draft>(
  options: Options<Name, Draft>,
) {
  const { name, schema, saved, toDraft, toInput } = options
  const [draft, setDraft] = useState(() => toDraft(saved))
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState(NONE)
  const save = useMutation(shell.shell.saveSettings.mutationOptions())
  const unsaved = JSON.stringify(draft) !== JSON.stringify(toDraft(saved))
  useUnsaved(name, unsaved)
  const read = readSection(schema, toInput(draft))
  const shown = tried && !read.ok ? read.issues : refused

  const change = (part: Partial<Draft>) => {
    setRefused(NONE)
    setDraft({ ...draft, ...part })
  }
  const submit = async (form: HTMLFormElement) => {
    setTried(true)
    setRefused(NONE)
    if (!read.ok) return focusFirstFault(form)
    const { value } = read
    const result = await save.mutateAsync({ [name]: value }).catch(() => undefined)
    if (result === undefined) return
    if (!result.ok) {
      setRefused(new Map([[result.field.slice(name.length + 1), settingIssueText(result.issue)]]))
      return focusFirstFault(form)
    }
    setTried(false)
    await queryClient.invalidateQueries(shell.shell.settings.pathFilter())
    setDraft(toDraft(value))
    announce(
      result.restarts ? 'Saved. The server restarts with the new settings.' : 'Nothing changed.',
    )
  }
  const discard = () => {
    setTried(false)
    setRefused(NONE)
    setDraft(toDraft(saved))
  }
  return {
    draft,
    change,
    submit,
    discard,
    unsaved,
    issues: shown,
    pending: save.isPending,
    error: save.error,
  }
}
