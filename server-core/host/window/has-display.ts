/** Returns whether a window can be drawn here: on Linux X11 or Wayland must be announced in the environment. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true
  return (process.env['DISPLAY'] ?? '') !== '' || (process.env['WAYLAND_DISPLAY'] ?? '') !== ''
}
