// The version segment that every API path begins with (section 9 of service.md).
export const basePath = '/api/v1';
