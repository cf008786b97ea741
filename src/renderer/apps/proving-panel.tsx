import { Button, Code, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { AppDetail } from '../../shared/console/apps.ts'
import { useAccess } from '../bridge/access.ts'
import { Panel } from '../components/panel.tsx'
import classes from './apps.module.css'
import { ProvingDialog } from './proving-dialog.tsx'
import { text as strings } from './strings.ts'

const text = strings.proving

/** What the artifacts of an app are proven against. */
export function ProvingPanel({ app }: { readonly app: AppDetail }) {
  const [editing, setEditing] = useState(false)
  const mayChange = useAccess().may('administrator', app.ref) && !app.archived
  const { minisignKey, hosts } = app.proving
  return (
    <Panel
      title={text.title}
      actions={
        mayChange ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} aria-hidden="true" />}
            onClick={() => setEditing(true)}
          >
            {text.edit}
          </Button>
        ) : undefined
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {text.description}
        </Text>
        <dl className={classes.facts}>
          <Fact name={text.hosts}>
            {hosts.length === 0
              ? text.noHosts
              : hosts.map((host) => <Code key={host}>{host}</Code>)}
          </Fact>
          <Fact name={text.key}>
            {minisignKey === null ? (
              text.noKey
            ) : (
              <Code className={classes.wrap}>{minisignKey}</Code>
            )}
          </Fact>
        </dl>
      </Stack>
      <ProvingDialog app={app} opened={editing} onClose={() => setEditing(false)} />
    </Panel>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" className={classes.values}>
        {children}
      </Text>
    </div>
  )
}
