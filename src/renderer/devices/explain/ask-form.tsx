import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/names.ts'
import { readVersion } from '../../../shared/version.ts'
import { server } from '../../bridge/clients.ts'
import classes from './explain.module.css'

/** What is asked about in place of the device's own channel and version. */
export interface Assumption {
  readonly channel?: string
  readonly version?: string
}

interface Props {
  readonly device: DeviceDetail
  readonly assumption: Assumption
  readonly onAsk: (assumption: Assumption) => void
}

/** Asks the same for another channel or version. The device hears nothing of it. */
export function AskForm({ device, assumption, onAsk }: Props) {
  const [typed, setTyped] = useState<string>()
  const [issue, setIssue] = useState<string>()
  const apps = useQuery(server.apps.list.queryOptions())
  const named = apps.data?.find(({ ref }) => ref === device.app)?.channels ?? []
  const channel = assumption.channel ?? device.channel ?? ''
  const channels = new Set([...named.map(({ name }) => name), channel])
  const own = device.version === OTHER ? '' : device.version
  const version = typed ?? assumption.version ?? own
  const isAssumed = assumption.channel !== undefined || assumption.version !== undefined
  const ask = () => {
    const read = readVersion(version.trim())
    setIssue(read.ok ? undefined : `The version ${read.reason}.`)
    if (!read.ok) return
    const { text } = read.version
    const { version: _, ...rest } = assumption
    onAsk(text === device.version ? rest : { ...rest, version: text })
    setTyped(undefined)
  }
  return (
    <form
      aria-label="Ask for another channel or version"
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <Group gap="xs" align="end" wrap="nowrap">
        <NativeSelect
          className={classes.channel}
          label="If it asked on"
          value={channel}
          data={[...channels]}
          onChange={({ currentTarget: { value } }) => {
            const { channel: _, ...rest } = assumption
            onAsk(value === device.channel ? rest : { ...rest, channel: value })
          }}
        />
        <TextInput
          className={classes.version}
          label="and ran version"
          value={version}
          aria-invalid={issue !== undefined}
          aria-describedby="ask-issue"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="default" className={classes.act}>
          Ask
        </Button>
        <Button
          variant="subtle"
          className={`${classes.act} ${classes.reset}`}
          data-shown={isAssumed || typed !== undefined}
          onClick={() => {
            onAsk({})
            setTyped(undefined)
            setIssue(undefined)
          }}
        >
          As it is
        </Button>
      </Group>
      <p id="ask-issue" className={classes.issue} role="alert">
        {issue}
      </p>
    </form>
  )
}
