// Addresses that a person writes.
import { describe, expect, test } from 'vitest';
import { isAllowedAddress, isLoopbackHost, withScheme } from '../../../src-main/contract/text/address.ts';

describe('the address of the service', () => {
  test.each([
    ['https://files.example/api/v1', true],
    ['http://localhost:8080', true],
    ['http://127.0.0.1:8080', true],
    ['http://127.9.9.9', true],
    ['http://[::1]:8080/v1', true],
    ['http://files.example', false],
    ['http://127.0.0.1.example', false],
    ['http://localhost.example', false],
    ['ftp://files.example', false],
    ['https://me@files.example', false],
    ['https://:pw@files.example', false],
    ['https://files.example/?key=1', false],
    ['https://files.example/#a', false],
    ['files.example', false],
  ])('%s is allowed: %s', (address, allowed) => {
    expect(isAllowedAddress(address)).toBe(allowed);
  });

  test.each([
    ['files.example.com', 'https://files.example.com'],
    ['files.example.com:8443/api', 'https://files.example.com:8443/api'],
    ['https://files.example.com', 'https://files.example.com'],
    ['http://files.example.com', 'http://files.example.com'],
    ['', ''],
  ])('typed as “%s” it means “%s”', (typed, address) => {
    expect(withScheme(typed, 'https')).toBe(address);
  });

  test('a machine of the same name elsewhere does not count as loopback', () => {
    expect(isLoopbackHost('localhost')).toBe(true);
    expect(isLoopbackHost('localhost.localdomain')).toBe(false);
  });
});
