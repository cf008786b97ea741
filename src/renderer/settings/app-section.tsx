import { Input, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Preferences } from '../../shared/console/shell.ts'
import { shell } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { ErrorNotice } from '../components/error-notice.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Panel } from '../components/panel.tsx'

const { theme: Theme, timeZone: TimeZone } = Preferences.shape
const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const TIME_ZONES = [
  { value: 'local', label: 'Local' },
  { value: 'utc', label: 'UTC' },
]

/** The desktop app itself. These settings hold at once, and restart nothing. */
export function AppSection() {
  const preferences = useQuery(shell.shell.preferences.queryOptions())
  const set = useMutation(
    shell.shell.setPreferences.mutationOptions({
      onSuccess: (data) => queryClient.setQueryData(shell.shell.preferences.queryKey(), data),
    }),
  )
  return (
    <Panel title="App">
      <Loaded query={preferences}>
        {({ theme, timeZone, startAtLogin, closeToTray, checkForUpdates, updateServer }) => (
          <Stack gap="md">
            <Input.Wrapper label="Theme" labelElement="div">
              <div>
                <SegmentedControl
                  aria-label="Theme"
                  data={THEMES}
                  value={theme}
                  onChange={(value) => set.mutate({ theme: Theme.parse(value) })}
                />
              </div>
            </Input.Wrapper>
            <Input.Wrapper label="Time zone" labelElement="div">
              <div>
                <SegmentedControl
                  aria-label="Time zone"
                  data={TIME_ZONES}
                  value={timeZone}
                  onChange={(value) => set.mutate({ timeZone: TimeZone.parse(value) })}
                />
              </div>
            </Input.Wrapper>
            <Switch
              label="Start at login"
              description="The server runs as soon as you log in; the window waits."
              checked={startAtLogin}
              onChange={(event) => set.mutate({ startAtLogin: event.currentTarget.checked })}
            />
            <Switch
              label="Keep running in the tray"
              description="The server keeps running when you close the window. On Linux, requires a desktop with a tray."
              checked={closeToTray}
              onChange={(event) => set.mutate({ closeToTray: event.currentTarget.checked })}
            />
            <Switch
              label="Check for new versions of Tidegate"
              description="Checks once a day. Sends the installed version, operating system and architecture, but no identifier."
              checked={checkForUpdates}
              onChange={(event) => set.mutate({ checkForUpdates: event.currentTarget.checked })}
            />
            {checkForUpdates && (
              <UpdateServerField
                value={updateServer}
                onSave={(address) => set.mutate({ updateServer: address })}
              />
            )}
            <ErrorNotice error={set.error} title="The setting could not be saved" />
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
  const [text, setText] = useState(value)
  const read = Address.safeParse(text.trim())
  return (
    <TextInput
      label="Update server"
      description="A Tidegate server that serves the app “tidegate”"
      value={text}
      error={read.success ? undefined : 'Enter a URL that starts with http:// or https://'}
      spellCheck={false}
      autoComplete="off"
      maw={420}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => read.success && read.data !== value && onSave(read.data)}
    />
  )
}
