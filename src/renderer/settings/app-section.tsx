import { Stack, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Preferences } from '../../shared/console/shell.ts'
import { isDesktop, shell } from '../bridge/clients.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Loaded } from '../components/loading/loaded.tsx'
import { Panel } from '../components/panel.tsx'
import { AppearanceFields, setPreferences } from './appearance-fields.tsx'
import { text } from './strings.ts'

/** The desktop app itself, or the console in this browser. These settings hold at once, and restart nothing. */
export function AppSection() {
  const preferences = useQuery(shell.shell.preferences.queryOptions())
  const set = useChange(setPreferences, {
    failed: () => text.preferenceNotSaved,
    inTurn: true,
  })
  const toggle = (name: 'startAtLogin' | 'closeToTray' | 'checkForUpdates', checked: boolean) => (
    <Switch
      label={text[name]}
      description={text[`${name}Hint`]}
      checked={checked}
      onChange={(event) => set.send({ [name]: event.currentTarget.checked })}
    />
  )
  return (
    <Panel title={isDesktop() ? text.app : text.display}>
      <Loaded query={preferences}>
        {({ theme, timeZone, startAtLogin, closeToTray, checkForUpdates, updateServer }) => (
          <Stack gap="md">
            <AppearanceFields theme={theme} timeZone={timeZone} onChange={set.send} />
            {isDesktop() && (
              <>
                {toggle('startAtLogin', startAtLogin)}
                {toggle('closeToTray', closeToTray)}
                {toggle('checkForUpdates', checkForUpdates)}
                {checkForUpdates && (
                  <UpdateServerField
                    value={updateServer}
                    onSave={(address) => set.send({ updateServer: address })}
                  />
                )}
              </>
            )}
            <ErrorNotice error={set.error} title={text.preferenceNotSaved} />
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

const { updateServer: Address } = Preferences.shape

interface Props {
  readonly value: string
  readonly onSave: (address: string) => void
}

/** The server that is checked for new versions of Tidegate. Saved when the field loses focus. */
function UpdateServerField({ value, onSave }: Props) {
  const [typed, setTyped] = useState(value)
  const read = Address.safeParse(typed.trim())
  return (
    <TextInput
      label={text.updateServer}
      description={text.updateServerHint}
      value={typed}
      error={read.success ? undefined : text.updateServerIssue}
      spellCheck={false}
      autoComplete="off"
      maw={420}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => read.success && read.data !== value && onSave(read.data)}
    />
  )
}
