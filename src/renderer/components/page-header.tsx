import { Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { useAccess } from '../bridge/access.ts'
import { useRemoteServer } from '../bridge/servers.tsx'
import { paths } from '../paths.ts'
import { LinkButton } from './blocks.tsx'
import { text } from './strings.ts'

interface Props {
  readonly title: ReactNode
  /** What the window is called while this screen is shown; the title where that is plain text. */
  readonly name?: string
  readonly description?: ReactNode
  /** The buttons of the screen. */
  readonly actions?: ReactNode
  /** The screens above this one. */
  readonly trail?: readonly { readonly name: string; readonly to: string }[]
}

/** The heading of a screen. It takes the focus when the screen opens, and names the window. */
export function PageHeader({ title, name, description, actions, trail = [] }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const pageName = name ?? (typeof title === 'string' ? title : undefined)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another release is another screen
  useEffect(() => heading.current?.focus({ preventScroll: true }), [pathname])
  const serverName = useRemoteServer()?.name
  useEffect(() => {
    const names = [pageName, serverName, 'Tidegate']
    document.title = names.filter((part) => part !== undefined).join(' · ')
  }, [pageName, serverName])
  return (
    <Stack gap={4} mb="lg">
      {trail.length > 0 && (
        <Breadcrumbs component="nav" aria-label={text.breadcrumb} fz="sm" separatorMargin={6}>
          {trail.map((step) => (
            <Link key={step.to} to={step.to} className="link">
              {step.name}
            </Link>
          ))}
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="center" gap="md">
        <Title order={1} ref={heading} tabIndex={-1} className="page-title">
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {description !== undefined && (
        <Text c="dimmed" component="div">
          {description}
        </Text>
      )}
    </Stack>
  )
}

interface PublishButtonProps {
  /** An app and channel that are chosen in the form. */
  readonly place?: { readonly app: string; readonly channel: string }
}

/** Opens the publish form, for those who may publish there. */
export function PublishButton({ place }: PublishButtonProps) {
  const { may, mayInSomeApp } = useAccess()
  const mayPublish =
    place === undefined ? mayInSomeApp('release_manager') : may('release_manager', place.app)
  if (!mayPublish) return null
  const to = place === undefined ? paths.publish : paths.publishTo(place.app, place.channel)
  return (
    <LinkButton variant="filled" to={to} icon={IconUpload}>
      {text.publish}
    </LinkButton>
  )
}
